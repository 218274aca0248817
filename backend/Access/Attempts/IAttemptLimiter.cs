using System.Net;

namespace NzbDav.Access.Attempts;

/// <summary>Slows down addresses that guess. Shared by everything that asks for passwords. Thread-safe.</summary>
public interface IAttemptLimiter
{
    /// <summary>How long an address that is slowed down has to wait for its next try.</summary>
    TimeSpan Pause { get; }

    /// <summary>Asks whether a secret may be checked. If so it counts as wrong until <see cref="Forgive"/>.</summary>
    bool TryBegin(IPAddress? address);

    /// <summary>Withdraws a counted attempt: the secret was right, or the check gave no result.</summary>
    void Forgive(IPAddress? address);
}
