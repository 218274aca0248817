using System.Net;

namespace NzbDav.Access;

/// <summary>Slows down addresses that guess. Shared with whatever else asks for passwords. Thread-safe.</summary>
public interface IAttemptLimiter
{
    /// <summary>How long an address that is slowed down has to wait for its next try.</summary>
    TimeSpan Pause { get; }

    /// <summary>Asks whether a secret may be checked. If so it counts as wrong until <see cref="Forgive"/>.</summary>
    bool TryBegin(IPAddress? address);

    /// <summary>The attempt was right after all, or came to nothing.</summary>
    void Forgive(IPAddress? address);
}
