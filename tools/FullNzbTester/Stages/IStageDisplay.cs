namespace NzbDav.FullNzbTester.Stages;

/// <summary>Where a person sees how far a run is. One stage at a time; <see cref="Progress"/> may come from any thread.</summary>
internal interface IStageDisplay
{
    void Begin(string stage);

    /// <summary>0 to 1.</summary>
    void Progress(double share);

    void End(string stage, bool passed, TimeSpan took);
}
