using NzbDav.Usenet.Accounts;

namespace NzbDav.FullNzbTester.Options;

/// <summary>The product's settings that the tester needs.</summary>
/// <param name="Providers">The accounts.</param>
/// <param name="MemoryBudgetMiB">Limit of the payload buffers: the content stream gets the same as the server.</param>
public sealed record TesterSettings(IReadOnlyList<ProviderOptions> Providers, int MemoryBudgetMiB);
