using System.Diagnostics;
using NzbDav.Fuzz.Contract;
using NzbDav.Fuzz.Coverage;
using NzbDav.Fuzz.Mutating;

namespace NzbDav.Fuzz.Probing;

/// <summary>Feeds one parser with changed inputs and keeps those that take a branch which none took before. One thread.</summary>
/// <param name="target">The parser.</param>
/// <param name="map">What its runs count into.</param>
/// <param name="current">Told what is being parsed.</param>
/// <param name="seed">Repeats a run, as far as the parser's own memory lets it.</param>
internal sealed class FuzzLoop(FuzzTarget target, CoverageMap map, CurrentInput current, int seed)
{
    /// <summary>Inputs whose results are compared with those of the cut input: one in so many, and all that are new.</summary>
    private const int ComparedEvery = 8;

    private const int MostTries = 4_000;
    private const int MostFindings = 20;

    private readonly Random _random = new(seed);
    private readonly List<byte[]> _corpus = [];
    private readonly List<Finding> _findings = [];

    /// <summary>Inputs parsed so far, the same one cut differently counted once.</summary>
    public long Runs { get; private set; }

    /// <summary>Faults found that are not the same.</summary>
    public int Findings => _findings.Count;

    /// <summary>Inputs from which others are made.</summary>
    public int Kept => _corpus.Count;

    /// <summary>Told of each input that goes into the corpus.</summary>
    public Action<byte[]> OnKept { get; init; } = static _ => { };

    /// <summary>Told of each fault, with the smallest input that shows it.</summary>
    public required Action<Finding, byte[]> OnFinding { get; init; }

    /// <summary>Parses inputs to start from; all are kept.</summary>
    public void Take(IEnumerable<byte[]> inputs)
    {
        foreach (var input in inputs)
        {
            Try(input, isCompared: true);
            _corpus.Add(input);
        }
    }

    /// <summary>Goes on until the time is over or enough inputs were parsed.</summary>
    /// <param name="duration">How long; the run under way is ended.</param>
    /// <param name="inputs">How many; those to start from count too.</param>
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

    /// <returns>True when it took a new branch.</returns>
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
