using System.Globalization;
using System.Net;
using Microsoft.AspNetCore.Http;
using NzbDav.Content.Secrets;

namespace NzbDav.Access.Attempts;

/// <summary>
/// Guards every check of a secret outside WebDAV, which uses the same memory: see <see cref="AttemptMemory"/>. Thread-safe.
/// </summary>
public sealed class AttemptGate(AttemptMemory memory)
{
    /// <summary>The message for an attempt that was not checked.</summary>
    public const string TooMany = "Too many wrong passwords or keys from this address.";

    /// <summary>
    /// A right secret is checked each time, because it may have been changed. A wrong one is refused without a check for a minute.
    /// </summary>
    private static readonly VerdictLifetimes Lifetimes = new(Right: TimeSpan.Zero, Wrong: TimeSpan.FromMinutes(1));

    /// <summary>Sets the header that says how long a throttled address has to wait.</summary>
    public static void SetRetryAfter(HttpResponse response)
    {
        ArgumentNullException.ThrowIfNull(response);
        response.Headers.RetryAfter = ((long)Math.Ceiling(AttemptMemory.Trickle.TotalSeconds)).ToString(CultureInfo.InvariantCulture);
    }

    /// <inheritdoc cref="AttemptMemory.DrainRefusedCount"/>
    public long DrainRefusedCount() => memory.DrainRefusedCount();

    /// <summary>Forgets all verdicts. Call when a secret changes.</summary>
    public void Forget() => memory.Forget(SecretScope.Interface);

    /// <summary>Checks a secret, or answers from memory without a check.</summary>
    /// <inheritdoc cref="AttemptMemory.TryAsync"/>
    public ValueTask<SecretVerdict> TryAsync(IPAddress? address, string purpose, string secret, Func<ValueTask<bool>> check) =>
        memory.TryAsync(SecretScope.Interface, address, purpose, secret, Lifetimes, check);
}
