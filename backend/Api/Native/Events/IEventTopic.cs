using NzbDav.Access.Keys;

namespace NzbDav.Api.Native.Events;

/// <summary>
/// A kind of event that pages receive from <c>/api/v1/events</c>. Registered as a singleton; created when the first page listens, and never
/// read while no page listens. Thread-safe.
/// </summary>
public interface IEventTopic
{
    /// <summary>
    /// Raised when there may be something to send. Handlers return quickly. The first change is sent at once; later ones are sent together,
    /// at least <see cref="Pace"/> apart.
    /// </summary>
    event Action? Changed;

    /// <summary>The event's name, in lower case.</summary>
    string Name { get; }

    /// <summary>The type that <see cref="NextAsync"/> returns: written with the JSON options of HTTP, and described in the API document
    /// under its name without "Body".</summary>
    Type DataType { get; }

    /// <summary>The rights that a page needs to listen.</summary>
    ApiRights Needs => ApiRights.Read;

    /// <summary>False: only pages that name the topic get it.</summary>
    bool IsUsual => true;

    /// <summary>True if each event replaces the ones before: a page that comes back gets only the latest.</summary>
    bool IsWhole { get; }

    /// <summary>The shortest time between two events.</summary>
    TimeSpan Pace { get; }

    /// <summary>The topic is read when the first page listens, and after this time even if nothing changed; null: only after a change.
    /// Evaluated after each event.</summary>
    TimeSpan? Period => null;

    /// <summary>Returns what to send now. Never called twice at the same time.</summary>
    /// <returns>Data of <see cref="DataType"/>; <see cref="EventReset"/> if there is too much to send, so that pages read again; null:
    /// nothing.</returns>
    ValueTask<object?> NextAsync(CancellationToken cancellationToken);

    /// <summary>Called when the first page listens: drops the changes collected until now.</summary>
    void Begin()
    {
    }
}

/// <summary>Returned in place of data when there are too many changes to send: pages read their data again.</summary>
public sealed class EventReset
{
    private EventReset()
    {
    }

    /// <summary>The only instance.</summary>
    public static EventReset Instance { get; } = new();
}
