namespace NzbDav.Torrents.Tests;

/// <summary>Collection of the tests that measure or limit the process. They run while no other test does.</summary>
[CollectionDefinition(nameof(Alone), DisableParallelization = true)]
public class Alone;
