namespace NzbDav.FullNzbTester.Stages;

/// <summary>Shows a run's progress. One stage at a time; <see cref="Progress"/> may be called from any thread.</summary>
internal interface IStageDisplay
{
    void Begin(string stage);

    /// <summary>Reports progress, 0 to 1.</summary>
    void Progress(double share);

    void End(string stage, bool passed, TimeSpan took);
}
