using NzbDav.Usenet.Providers;

namespace NzbDav.FullNzbTester.Options;

/// <summary>What the tester needs of the product's settings.</summary>
/// <param name="Providers">The accounts.</param>
/// <param name="MemoryBudgetMiB">Limit of the payload buffers: the content stream gets what the server has.</param>
public sealed record TesterSettings(IReadOnlyList<ProviderOptions> Providers, int MemoryBudgetMiB);
