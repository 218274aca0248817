namespace NzbDav.Api.Native.Jobs;

/// <summary>Duration of one import step.</summary>
/// <param name="Step">Name of the step.</param>
/// <param name="Seconds">Its duration.</param>
internal sealed record StepTimeBody(string Step, double Seconds);
