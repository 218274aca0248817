namespace NzbDav.Catalog.Tests;

/// <summary>Collection of the tests that measure the process. They run while no other test does.</summary>
[CollectionDefinition(nameof(Alone), DisableParallelization = true)]
public class Alone;
