namespace NzbDav.Api.Native.Providers;

/// <summary>Maps accounts to their numbers in the settings. Thread-safe.</summary>
public interface IProviderNumbers
{
    /// <summary>The numbers, in the order of the accounts: ascending, possibly with gaps.</summary>
    IReadOnlyList<int> Now { get; }
}
