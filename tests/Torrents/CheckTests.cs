using NzbDav.Torrents.Pieces;

namespace NzbDav.Torrents.Tests;

public sealed class CheckTests
{
    /// <summary>The product itself always checks hashes: any other check has to be passed in from outside.</summary>
    [Fact]
    public void The_hash_is_the_engines_only_check()
    {
        var checks = typeof(TorrentEngine).Assembly.GetTypes()
            .Where(static type => type.IsClass && typeof(IPieceCheck).IsAssignableFrom(type));
        Assert.Equal([typeof(HashCheck)], checks);
        Assert.All(typeof(TorrentEngine).GetConstructors(),
            static made => Assert.DoesNotContain(made.GetParameters(), static given => given.ParameterType == typeof(IPieceCheck)));
    }
}
