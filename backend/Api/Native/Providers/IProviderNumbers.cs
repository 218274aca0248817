namespace NzbDav.Api.Native.Providers;

/// <summary>Which number in the settings each account has. Thread-safe.</summary>
public interface IProviderNumbers
{
    /// <summary>In the order of the accounts; ascending, perhaps with gaps.</summary>
    IReadOnlyList<int> Now { get; }
}
