// The monolingual aligner: links of two columns of texts, as METEOR's links are, and the evidence that its weights are
// learned from.
#include "aligner.hpp"
#include "bind.hpp"
#include "meteor.hpp"

namespace tertium {

namespace {

using LayersIn = std::vector<std::shared_ptr<AlignerLayers>>;
using NumbersOut = nb::ndarray<nb::memview, double, nb::ndim<2>>;

// What makes links, shared by threads.
struct AlignerKnowledge {
    AlignerWeights weights;
    bool synonyms, phrases;
    std::shared_ptr<VectorTable> vectors;
};

std::vector<uint8_t> bytes_of(const nb::bytes& bytes) {
    const auto* data = reinterpret_cast<const uint8_t*>(bytes.c_str());
    return {data, data + bytes.size()};
}

// Layers have a value for each word, or none at all; heads are in their text.
void check_layers(const AlignerLayers* layers, const MeteorTexts& texts) {
    if (!layers) return;
    const size_t n = texts.words.size();
    for (const size_t size :
         {layers->classes.size(), layers->tags.size(), layers->relations.size(), layers->heads.size(), layers->lemmas.size()})
        if (size != 0 && size != n) throw nb::value_error("layers must have a value for each word");
    if (layers->heads.empty()) return;
    if (layers->tags.empty() || layers->relations.empty()) throw nb::value_error("trees need tags and relations");
    for (size_t t = 0; t < texts.size(); ++t)
        for (size_t i = texts.starts[t]; i < texts.starts[t + 1]; ++i)
            if (layers->heads[i] < -1 || layers->heads[i] >= int64_t(texts.starts[t + 1] - texts.starts[t]))
                throw nb::value_error("a head is outside its text");
}

// One thread's way through the texts.
struct Aligning {
    const MeteorTexts& hypotheses;
    const MeteorReferences& references;
    const AlignerLayers* layers;
    const LayersIn& reference_layers;
    MeteorSegments ours;
    std::vector<MeteorSegments> streams;
    WordAligner aligner;

    Aligning(const AlignerKnowledge& known, const MeteorTexts& texts, const MeteorReferences& others,
             const AlignerLayers* own_layers, const LayersIn& other_layers, bool alike)
        : hypotheses(texts),
          references(others),
          layers(own_layers),
          reference_layers(other_layers),
          ours(*others.lexicon, texts, known.phrases),
          aligner(*others.lexicon, known.weights, known.synonyms, known.vectors.get(), alike) {
        for (const auto& stream : others.streams) streams.emplace_back(*others.lexicon, *stream, known.phrases);
    }
    // Calls found(ours, theirs) for every reference that is there.
    template <class Found>
    void each(size_t t, Found&& found) {
        const WordAligner::Text own{ours[t], layers, hypotheses.starts[t]};
        for (size_t s = 0; s < streams.size(); ++s) {
            if (streams[s].missing(t)) continue;
            const AlignerLayers* const known = reference_layers.empty() ? nullptr : reference_layers[s].get();
            found(own, WordAligner::Text{streams[s][t], known, references.streams[s]->starts[t]});
        }
    }
};

void check(const MeteorTexts& hypotheses, const MeteorReferences& references, const AlignerLayers* layers,
           const LayersIn& reference_layers) {
    same_length(hypotheses.size(), references.size());
    check_layers(layers, hypotheses);
    if (reference_layers.empty()) return;
    same_length(reference_layers.size(), references.streams.size());
    for (size_t s = 0; s < reference_layers.size(); ++s) check_layers(reference_layers[s].get(), *references.streams[s]);
}

std::shared_ptr<MeteorLinks> aligned(const AlignerKnowledge& known, std::shared_ptr<MeteorTexts> hypotheses,
                                     std::shared_ptr<MeteorReferences> references, const std::shared_ptr<AlignerLayers>& layers,
                                     const LayersIn& reference_layers, bool alike, int threads) {
    check(*hypotheses, *references, layers.get(), reference_layers);
    auto links = std::make_shared<MeteorLinks>(hypotheses, references);
    Unlocked unlocked;
    const auto lock = references->lexicon->reading();
    parallel_parts(links->size(), threads, [&](size_t, size_t begin, size_t end) {
        Aligning part(known, *hypotheses, *references, layers.get(), reference_layers, alike);
        for (size_t t = begin; t < end; ++t) {
            poll();
            part.each(t, [&](const WordAligner::Text& ours, const WordAligner::Text& theirs) {
                const uint32_t chunks = part.aligner.align(ours, theirs);
                links->add(t, ours.side, theirs.side, chunks, part.aligner.matches());
            });
        }
    });
    links->number_pairs();
    return links;
}

// Of the first reference of each text: how many candidates; place, place and class of each; its evidence.
nb::tuple evidence(const AlignerKnowledge& known, const MeteorTexts& hypotheses, const MeteorReferences& references,
                   const std::shared_ptr<AlignerLayers>& layers, const LayersIn& reference_layers, bool second) {
    check(hypotheses, references, layers.get(), reference_layers);
    const size_t width = second ? kSecondEvidence : kFirstEvidence;
    std::vector<size_t> counts;
    std::vector<int64_t> places;
    std::vector<double> numbers;
    {
        Unlocked unlocked;
        const auto lock = references.lexicon->reading();
        Aligning part(known, hypotheses, references, layers.get(), reference_layers, false);
        for (size_t t = 0; t < hypotheses.size(); ++t) {
            poll();
            const size_t before = places.size();
            part.each(t, [&](const WordAligner::Text& ours, const WordAligner::Text& theirs) {
                part.aligner.evidence(ours, theirs, second, [&](const LinkCandidate& link, size_t kind, const double* found) {
                    for (const size_t value : {size_t(link.ours), size_t(link.theirs), kind}) places.push_back(int64_t(value));
                    numbers.insert(numbers.end(), found, found + width);
                });
            });
            counts.push_back((places.size() - before) / 3);
        }
    }
    const size_t n = places.size() / 3;
    auto where = std::make_unique_for_overwrite<int64_t[]>(places.size() + 1);
    std::copy(places.begin(), places.end(), where.get());
    auto memory = std::make_unique_for_overwrite<double[]>(numbers.size() + 1);
    std::copy(numbers.begin(), numbers.end(), memory.get());
    double* data = memory.get();
    return nb::make_tuple(counts, rows_out(std::move(where), n, 3), NumbersOut(data, {n, width}, owned(memory)));
}

}  // namespace

void bind_aligner(nb::module_& module) {
    nb::class_<AlignerLayers>(module, "AlignerLayers")
        .def(nb::new_([](const nb::bytes& classes, const nb::bytes& tags, const nb::bytes& relations,
                         std::vector<int32_t> heads, std::vector<uint32_t> lemmas) {
                 return std::make_shared<AlignerLayers>(AlignerLayers{bytes_of(classes), bytes_of(tags), bytes_of(relations),
                                                                      std::move(heads), std::move(lemmas)});
             }),
             nb::arg("classes"), nb::arg("tags"), nb::arg("relations"), nb::arg("heads"), nb::arg("lemmas"));
    nb::class_<AlignerKnowledge>(module, "WordAligner")
        .def(
            nb::new_([](const std::vector<double>& weights, bool synonyms, bool phrases, std::shared_ptr<VectorTable> vectors) {
                return std::make_shared<AlignerKnowledge>(
                    AlignerKnowledge{AlignerWeights(weights), synonyms, phrases, std::move(vectors)});
            }),
            nb::arg("weights"), nb::arg("synonyms"), nb::arg("phrases"), nb::arg("vectors").none())
        .def("links", &aligned, nb::arg("hypotheses"), nb::arg("references"), nb::arg("layers").none(),
             nb::arg("reference_layers"), nb::arg("alike"), nb::arg("threads"))
        .def("evidence", &evidence, nb::arg("hypotheses"), nb::arg("references"), nb::arg("layers").none(),
             nb::arg("reference_layers"), nb::arg("second"));
    module.attr("ALIGNER_WEIGHTS") = AlignerWeights::kNumber;
}

}  // namespace tertium
