namespace NzbDav.Arr.Resources;

/// <summary>How an application reports a failure.</summary>
internal sealed record ArrMessage
{
    public string? Message { get; init; }
}
