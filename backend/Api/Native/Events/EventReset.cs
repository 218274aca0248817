namespace NzbDav.Api.Native.Events;

/// <summary>Returned in place of data when there are too many changes to send: pages read their data again.</summary>
public sealed class EventReset
{
    private EventReset()
    {
    }

    /// <summary>The only instance.</summary>
    public static EventReset Instance { get; } = new();
}
