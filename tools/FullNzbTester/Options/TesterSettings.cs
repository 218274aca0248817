using NzbDav.Usenet.Providers;

namespace NzbDav.FullNzbTester.Options;

/// <summary>What the tester needs of the product's settings.</summary>
/// <param name="Providers">The accounts.</param>
/// <param name="MemoryBudgetMiB">Bound of the payload buffers, so that the content stream has what the server has.</param>
public sealed record TesterSettings(IReadOnlyList<ProviderOptions> Providers, int MemoryBudgetMiB);
