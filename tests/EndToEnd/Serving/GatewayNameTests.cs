using NzbDav.EndToEnd.Tests.Running;
using NzbDav.Host.Sharing;

namespace NzbDav.EndToEnd.Tests.Serving;

public sealed class GatewayNameTests : IDisposable
{
    private readonly Folder _folder = new();

    [Fact]
    public void Each_start_has_a_new_name_and_knows_the_one_before()
    {
        var first = GatewayName.Create(_folder.Path);
        var second = GatewayName.Create(_folder.Path);
        var third = GatewayName.Create(_folder.Path);

        Assert.Null(first.Former);
        Assert.Equal(first.Name, second.Former);
        Assert.Equal(second.Name, third.Former);
        Assert.Equal(3, new[] { first.Name, second.Name, third.Name }.Distinct().Count());
    }

    /// <summary>The server of the folder that was copied may be running.</summary>
    [Fact]
    public void A_copy_of_the_folder_does_not_know_the_name_before()
    {
        GatewayName.Create(_folder.Path);
        using var copy = new Folder();
        File.Copy(Path.Combine(_folder.Path, "gateway"), Path.Combine(copy.Path, "gateway"));

        Assert.Null(GatewayName.Create(copy.Path).Former);
    }

    [Theory]
    [InlineData("")]
    [InlineData("not a name 1")]
    [InlineData("5f0c1d6e0f1b4a0d8a3b1c2d3e4f5a6b")]
    public void What_is_no_name_is_replaced(string text)
    {
        File.WriteAllText(Path.Combine(_folder.Path, "gateway"), text);

        var one = GatewayName.Create(_folder.Path);

        Assert.Null(one.Former);
        Assert.Equal(one.Name, GatewayName.Create(_folder.Path).Former);
    }

    public void Dispose() => _folder.Dispose();
}
