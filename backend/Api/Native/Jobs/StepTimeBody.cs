namespace NzbDav.Api.Native.Jobs;

/// <summary>How long a step of an import took.</summary>
/// <param name="Step">Its name.</param>
/// <param name="Seconds">How long.</param>
internal sealed record StepTimeBody(string Step, double Seconds);
