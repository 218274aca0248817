using System.Collections.Concurrent;

namespace NzbDav.Usenet.Providers.Quotas;

/// <summary>
/// Bytes that each account has used in its quota period, whichever provider uses it. Restored before the accounts are used; the owner
/// stores it. Thread-safe.
/// </summary>
/// <param name="time">Clock; periods begin at midnight of its local time zone.</param>
public sealed class UsageBook(TimeProvider time)
{
    private readonly ConcurrentDictionary<string, ProviderUsage> _accounts = new(StringComparer.Ordinal);

    /// <summary>Restores the count of an earlier run.</summary>
    public void Restore(AccountUsage known)
    {
        ArgumentNullException.ThrowIfNull(known);
        Of(known.Account).Restore(known);
    }

    /// <summary>Returns the bytes counted since the last call, for accounts with a quota, to be added to those stored.</summary>
    public IReadOnlyList<AccountUsage> DrainUnstored() =>
        [.. _accounts.Values.Select(static usage => usage.DrainUnstored()).OfType<AccountUsage>()];

    /// <summary>Takes back results of <see cref="DrainUnstored"/> that could not be stored, to return them again later.</summary>
    public void PutBack(IEnumerable<AccountUsage> usages)
    {
        foreach (var usage in usages)
            Of(usage.Account).PutBack(usage);
    }

    /// <summary>
    /// Adopts the stored count of an account, which may include other processes. Call once everything that <see cref="DrainUnstored"/>
    /// returned is stored.
    /// </summary>
    public void Adopt(AccountUsage stored)
    {
        ArgumentNullException.ThrowIfNull(stored);
        Of(stored.Account).Adopt(stored);
    }

    /// <summary>The count of an account.</summary>
    /// <param name="account">See <see cref="AccountUsage.Account"/>.</param>
    internal ProviderUsage Of(string account) =>
        _accounts.GetOrAdd(account, static (account, time) => new ProviderUsage(account, time), time);
}

/// <summary>Bytes that an account has used, as stored between runs.</summary>
/// <param name="Account">Identifies the account: host, port and user name.</param>
/// <param name="Since">When the counted period started.</param>
/// <param name="Bytes">Bytes received from the network since then.</param>
public sealed record AccountUsage(string Account, DateTimeOffset Since, long Bytes);
