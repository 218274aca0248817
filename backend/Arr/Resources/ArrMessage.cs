namespace NzbDav.Arr.Resources;

/// <summary>Body with which an application reports a failure.</summary>
internal sealed record ArrMessage
{
    public string? Message { get; init; }
}
