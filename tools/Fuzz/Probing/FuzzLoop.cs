using System.Diagnostics;
using NzbDav.Fuzz.Contract;
using NzbDav.Fuzz.Coverage;
using NzbDav.Fuzz.Mutating;

namespace NzbDav.Fuzz.Probing;

/// <summary>Feeds one parser with mutated inputs and keeps those that take a new branch. Single-threaded.</summary>
/// <param name="target">The parser.</param>
/// <param name="map">Counts the branches of its runs.</param>
/// <param name="current">Stores the input being parsed.</param>
/// <param name="seed">Repeats a run, unless the parser keeps state of its own.</param>
internal sealed class FuzzLoop(FuzzTarget target, CoverageMap map, CurrentInput current, int seed)
{
    /// <summary>Results are compared with those of the cut input for one input in this many, and for all new ones.</summary>
    private const int ComparedEvery = 8;

    private const int MostTries = 4_000;
    private const int MostFindings = 20;

    private readonly Random _random = new(seed);
    private readonly List<byte[]> _corpus = [];
    private readonly List<Finding> _findings = [];

    /// <summary>Number of inputs parsed so far; the same input cut differently counts once.</summary>
    public long Runs { get; private set; }

    /// <summary>Number of different faults found.</summary>
    public int Findings => _findings.Count;

    /// <summary>Number of inputs in the corpus.</summary>
    public int Kept => _corpus.Count;

    /// <summary>Called with each input that is added to the corpus.</summary>
    public Action<byte[]> OnKept { get; init; } = static _ => { };

    /// <summary>Called with each fault and the smallest input that shows it.</summary>
    public required Action<Finding, byte[]> OnFinding { get; init; }

    /// <summary>Parses inputs to start from, and keeps all of them.</summary>
    public void Take(IEnumerable<byte[]> inputs)
    {
        foreach (var input in inputs)
        {
            Try(input, isCompared: true);
            _corpus.Add(input);
        }
    }

    /// <summary>Runs until the time is over or enough inputs were parsed.</summary>
    /// <param name="duration">How long; the current run is completed.</param>
    /// <param name="inputs">How many inputs; those to start from count too.</param>
    public void Go(TimeSpan duration, long inputs)
    {
        if (_corpus.Count == 0)
            throw new InvalidOperationException($"{target.Name} has no seeds.");
        var mutator = new Mutator(target, _random);
        for (var began = Stopwatch.GetTimestamp(); Stopwatch.GetElapsedTime(began) < duration && Runs < inputs && Findings < MostFindings;)
        {
            var input = mutator.Make(_corpus);
            if (!Try(input, isCompared: Runs % ComparedEvery == 0))
                continue;
            _corpus.Add(input);
            OnKept(input);
        }
    }

    /// <returns>True if it took a new branch.</returns>
    private bool Try(byte[] input, bool isCompared)
    {
        Runs++;
        current.Begin(input);
        map.Clear();
        var finding = Probe.RunOnce(target, input, out var result);
        var isNew = map.Absorb();
        if (finding is null && (isCompared || isNew))
        {
            map.Clear();
            finding = Probe.Compare(target, input, result, _random.Next());
            isNew |= map.Absorb();
        }

        current.End();
        if (finding is not null)
            Keep(finding, input);
        return isNew && finding is null;
    }

    private void Keep(Finding finding, byte[] input)
    {
        if (_findings.Exists(finding.IsSameAs))
            return;
        _findings.Add(finding);
        OnFinding(finding, Minimiser.Shrink(input, IsStillWrong, MostTries));

        bool IsStillWrong(byte[] smaller)
        {
            current.Begin(smaller);
            var same = finding.IsSameAs(Probe.Judge(target, smaller, seed));
            current.End();
            return same;
        }
    }
}
