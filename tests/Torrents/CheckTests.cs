using NzbDav.Torrents.Pieces;

namespace NzbDav.Torrents.Tests;

public sealed class CheckTests
{
    /// <summary>What is not checked by its hash cannot come from the product: another check would have to come from outside of it.</summary>
    [Fact]
    public void The_engine_has_no_check_but_the_hash()
    {
        var checks = typeof(TorrentEngine).Assembly.GetTypes().Where(static type => type.IsClass && typeof(IPieceCheck).IsAssignableFrom(type));
        Assert.Equal([typeof(HashCheck)], checks);
        Assert.All(typeof(TorrentEngine).GetConstructors(), static made => Assert.DoesNotContain(made.GetParameters(), static given => given.ParameterType == typeof(IPieceCheck)));
    }
}
