using NzbDav.Api.Native.Providers;
using NzbDav.Host.Settings;

namespace NzbDav.Host.Status;

/// <summary>The numbers of the accounts in the current settings.</summary>
internal sealed class ProviderNumbers(SettingsBook book) : IProviderNumbers
{
    public IReadOnlyList<int> Now => book.Current.ProviderNumbers;
}
