using System.Security.Cryptography;
using System.Xml.Linq;
using Microsoft.AspNetCore.DataProtection;
using NzbDav.Access.Keys;

namespace NzbDav.Access.Tests;

public sealed class KeyRingFolderTests : IDisposable
{
    private readonly string _parent = Directory.CreateTempSubdirectory("nzbdav-ring-").FullName;

    private string Folder => Path.Combine(_parent, "keys");

    [Fact]
    public void Keys_are_read_back_and_lie_in_files_for_their_user_alone()
    {
        var ring = new KeyRingFolder(Folder);
        Assert.Empty(ring.GetAllElements());
        ring.StoreElement(new XElement("key", new XAttribute("id", 2)), "key-2");
        ring.StoreElement(new XElement("key", new XAttribute("id", 1)), "key-1");
        File.WriteAllText(Path.Combine(Folder, "key-3.xml.0123"), "unfinished");
        File.WriteAllText(Path.Combine(Folder, "api"), "another key");

        Assert.Equal(["1", "2"], new KeyRingFolder(Folder).GetAllElements().Select(static key => key.Attribute("id")!.Value));
        Assert.Equal(["api", "key-1.xml", "key-2.xml", "key-3.xml.0123"],
            Directory.GetFileSystemEntries(Folder).Select(static path => Path.GetFileName(path)!).Order(StringComparer.Ordinal));
        if (!OperatingSystem.IsWindows())
        {
            Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute, File.GetUnixFileMode(Folder));
            Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(Path.Combine(Folder, "key-1.xml")));
        }
    }

    [Fact]
    public void A_key_is_replaced_and_leaves_no_other_file()
    {
        var ring = new KeyRingFolder(Folder);
        ring.StoreElement(new XElement("key", "old"), "key-1");
        ring.StoreElement(new XElement("key", "new"), "key-1");

        Assert.Equal("new", Assert.Single(ring.GetAllElements()).Value);
        Assert.Single(Directory.GetFileSystemEntries(Folder));
    }

    /// <summary>Keys that the framework's own folder wrote stay good, and the other way round.</summary>
    [Fact]
    public void The_keys_are_those_of_the_frameworks_folder()
    {
        var framework = DataProtectionProvider.Create(new DirectoryInfo(Folder), static builder => builder.SetApplicationName("x"))
            .CreateProtector("y");
        var before = framework.Protect("before");
        var ours = DataProtectionProvider.Create(new DirectoryInfo(Folder), builder => builder.SetApplicationName("x")
            .AddKeyManagementOptions(options => options.XmlRepository = new KeyRingFolder(Folder)))
            .CreateProtector("y");

        Assert.Equal("before", ours.Unprotect(before));
        Assert.Equal("after", framework.Unprotect(ours.Protect("after")));
        Assert.Single(Directory.GetFileSystemEntries(Folder));
    }

    /// <summary>A backup of the folder without the secret, which is kept elsewhere, opens nothing.</summary>
    [Fact]
    public void With_a_secret_the_keys_lie_there_encrypted()
    {
        const string Secret = "a secret of the environment";
        var protectedText = Protector(null).Protect("before");
        var file = Assert.Single(Directory.GetFiles(Folder));
        Assert.Contains("masterKey", File.ReadAllText(file), StringComparison.Ordinal);

        // Those that lie there in clear are encrypted, and go on to open what they opened.
        Assert.Equal("before", Protector(Secret).Unprotect(protectedText));
        Assert.DoesNotContain("masterKey", File.ReadAllText(file), StringComparison.Ordinal);
        Assert.Equal("before", Protector(Secret).Unprotect(protectedText));
        Assert.Null(KeyRingFolder.Encrypt(File.ReadAllBytes(file), Secret));
        Assert.Throws<CryptographicException>(() => new KeyRingFolder(Folder, "another secret of somebody").GetAllElements());
        Assert.Throws<CryptographicException>(() => new KeyRingFolder(Folder).GetAllElements());

        new KeyRingFolder(Folder, Secret).StoreElement(new XElement("masterKey"), "key-new");
        Assert.DoesNotContain("masterKey", File.ReadAllText(Path.Combine(Folder, "key-new.xml")), StringComparison.Ordinal);
        if (!OperatingSystem.IsWindows())
            Assert.Equal(UnixFileMode.UserRead | UnixFileMode.UserWrite, File.GetUnixFileMode(file));
    }

    private IDataProtector Protector(string? secret) => DataProtectionProvider.Create(
        new DirectoryInfo(Folder), builder =>
            builder.AddKeyManagementOptions(options => options.XmlRepository = new KeyRingFolder(Folder, secret))).CreateProtector("x");

    public void Dispose() => Directory.Delete(_parent, recursive: true);
}
