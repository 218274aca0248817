namespace NzbDav.Host.Status;

/// <summary>Quantities over time, all at the same times.</summary>
/// <param name="Start">Time of the first value: the start of the span, or of the server if that was later.</param>
/// <param name="StepSeconds">Seconds between values.</param>
/// <param name="Lines">The quantities, all with the same number of values.</param>
internal sealed record SeriesBody(DateTimeOffset Start, int StepSeconds, IReadOnlyList<SeriesLineBody> Lines);
