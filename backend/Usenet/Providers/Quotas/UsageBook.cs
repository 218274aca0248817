using System.Collections.Concurrent;

namespace NzbDav.Usenet.Providers.Quotas;

/// <summary>What each account brought in the period of its quota, whoever uses it now. To be filled before the accounts are used, and kept by its owner. Thread-safe.</summary>
/// <param name="time">Clock; periods begin at midnight of its local time zone.</param>
public sealed class UsageBook(TimeProvider time)
{
    private readonly ConcurrentDictionary<string, ProviderUsage> _accounts = new(StringComparer.Ordinal);

    /// <summary>What an earlier run counted.</summary>
    public void Restore(AccountUsage known)
    {
        ArgumentNullException.ThrowIfNull(known);
        Of(known.Account).Restore(known);
    }

    /// <summary>What changed since it was taken last, of accounts that have a quota.</summary>
    public IReadOnlyList<AccountUsage> TakeChanged() => [.. _accounts.Values.Select(static usage => usage.TakeChanged()).OfType<AccountUsage>()];

    /// <summary>The count of an account.</summary>
    /// <param name="account">See <see cref="AccountUsage.Account"/>.</param>
    internal ProviderUsage Of(string account) => _accounts.GetOrAdd(account, static (account, time) => new ProviderUsage(account, time), time);
}
