CREATE DATABASE judgements OWNER tertium;
