using NzbDav.Fakes;
using NzbDav.FullNzbTester.Comparing;
using NzbDav.FullNzbTester.Findings;
using NzbDav.FullNzbTester.Stages;
using NzbDav.MockUsenet.Articles;

namespace NzbDav.FullNzbTester.Tests;

/// <summary>A file, its source, a clock that the test moves, and stages without output.</summary>
internal sealed class LevelFixture
{
    public const string Name = "mock.bin";

    public LevelFixture(string section, int length = 4 << 20)
    {
        var seeded = new SeededSource(1, Name, length);
        Bytes = new byte[length];
        seeded.Fill(0, Bytes);
        Source = SourceBytes.Of(seeded);
        Stages = new StageRunner(section, Findings, new NoDisplay(), Time, TimeSpan.FromMinutes(3));
    }

    public byte[] Bytes { get; }

    public SourceBytes Source { get; }

    public ManualTimeProvider Time { get; } = new();

    public RunFindings Findings { get; } = new();

    public StageRunner Stages { get; }

    /// <summary>The only failure.</summary>
    public StageFailure Failure => Assert.Single(Findings.Failures);

    /// <summary>Moves the clock for a stage that waits beside its time limit, until it completes.</summary>
    public async Task CompleteAsync(Task run)
    {
        while (await Task.WhenAny(run, Time.WhenArmedAsync(2)) != run)
            Time.Advance(TimeSpan.FromMilliseconds(100));
        await run;
    }

    private sealed class NoDisplay : IStageDisplay
    {
        public void Begin(string stage)
        {
        }

        public void Progress(double share)
        {
        }

        public void End(string stage, bool passed, TimeSpan took)
        {
        }
    }
}
