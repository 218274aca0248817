namespace NzbDav.Host.Status;

/// <summary>Quantities over time, all with the same times.</summary>
/// <param name="Start">When the first value begins: the start of the span, or of the server if that was later.</param>
/// <param name="StepSeconds">From one value to the next.</param>
/// <param name="Lines">Each has as many values as the others.</param>
internal sealed record SeriesBody(DateTimeOffset Start, int StepSeconds, IReadOnlyList<SeriesLineBody> Lines);
