namespace NzbDav.Api.Native.Events;

/// <summary>
/// A kind of news that pages hear by <c>/api/v1/events</c>. Registered as a singleton; made when the first page listens. Nobody asks it for anything while no page listens. Thread-safe.
/// </summary>
public interface IEventTopic
{
    /// <summary>Raised when there may be something to tell: return quickly, as the handler does. The first change is told at once, what follows is told together, <see cref="Pace"/> apart.</summary>
    event Action? Changed;

    /// <summary>The event's name: lower case.</summary>
    string Name { get; }

    /// <summary>What <see cref="TakeAsync"/> gives: written with the JSON options of HTTP, and described in the API's document under the name without "Body".</summary>
    Type DataType { get; }

    /// <summary>What a page must be allowed to hear it.</summary>
    ApiRights Needs => ApiRights.Read;

    /// <summary>False: only pages that name it hear it.</summary>
    bool IsUsual => true;

    /// <summary>True if each event replaces the ones before: a page that comes back gets the latest alone.</summary>
    bool IsWhole { get; }

    /// <summary>The least time between two events.</summary>
    TimeSpan Pace { get; }

    /// <summary>It is asked when the first page comes, and after so long even if nothing changed; null: only after a change. Read after each event.</summary>
    TimeSpan? Period => null;

    /// <summary>What to tell now. Called by one caller at a time.</summary>
    /// <returns>Data of <see cref="DataType"/>; <see cref="EventReset"/> if it is too much to tell, so that pages read anew; null: nothing.</returns>
    ValueTask<object?> TakeAsync(CancellationToken cancellationToken);

    /// <summary>Nobody listened until now: what was gathered meanwhile is dropped.</summary>
    void Begin()
    {
    }
}
