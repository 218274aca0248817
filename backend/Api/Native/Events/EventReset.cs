namespace NzbDav.Api.Native.Events;

/// <summary>In place of news: there is too much to tell, so pages read anew.</summary>
public sealed class EventReset
{
    private EventReset()
    {
    }

    /// <summary>The only one.</summary>
    public static EventReset Instance { get; } = new();
}
