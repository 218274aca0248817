using System.Net;

namespace NzbDav.Access;

/// <summary>Judges the keys that callers present, for every route that takes one: wrong ones count as failures of their address, as wrong passwords do. Thread-safe.</summary>
public sealed class KeyGate(ApiKeys keys, AttemptGate attempts)
{
    /// <summary>How long an address that is slowed down has to wait.</summary>
    public TimeSpan Pause => attempts.Pause;

    /// <summary>Judges a key. One that was right before is never slowed down, whatever others try from the same address.</summary>
    /// <param name="address">Whose it is; behind a trusted proxy the client's.</param>
    /// <param name="key">As it was sent, not empty.</param>
    /// <returns>What it is, and what it opens: nothing unless it is right.</returns>
    public async ValueTask<(AttemptOutcome Outcome, ApiRights Rights)> TryAsync(IPAddress? address, string key)
    {
        var outcome = await attempts.TryAsync(address, "key", key, () => ValueTask.FromResult(keys.RightsOf(key) != ApiRights.None));
        return (outcome, outcome == AttemptOutcome.Right ? keys.RightsOf(key) : ApiRights.None);
    }
}
