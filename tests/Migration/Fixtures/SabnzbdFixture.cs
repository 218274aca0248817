using System.IO.Compression;
using System.Security.Cryptography;
using System.Text;
using Dapper;
using Microsoft.Data.Sqlite;
using NzbDav.MockUsenet.Articles;
using NzbDav.MockUsenet.Nzb;

namespace NzbDav.Migration.Tests.Fixtures;

/// <summary>Builds the configuration of SABnzbd as a given version leaves it on disk.</summary>
internal sealed class SabnzbdFixture
{
    private readonly int _version;

    public SabnzbdFixture(string folder, int version, string settings = "")
    {
        SQLitePCL.Batteries_V2.Init();
        (Folder, _version) = (folder, version);
        Directory.CreateDirectory(Path.Combine(folder, "admin"));
        Directory.CreateDirectory(Path.Combine(folder, "copies"));
        File.WriteAllText(Path.Combine(folder, "sabnzbd.ini"),
            "__version__ = 19\n[misc]\nnzb_backup_dir = copies\ndownload_dir = incomplete\napi_key = 0123\n" + settings);
        using var connection = Open();
        connection.Execute(
            "CREATE TABLE history (id INTEGER PRIMARY KEY, completed INTEGER, name TEXT, nzb_name TEXT, category TEXT, pp TEXT, script " +
            "TEXT, report TEXT, url TEXT, status TEXT, nzo_id TEXT, storage TEXT, path TEXT, bytes INTEGER, fail_message TEXT)");
        if (version >= 1)
            connection.Execute("ALTER TABLE history ADD COLUMN series TEXT; ALTER TABLE history ADD COLUMN md5sum TEXT");
        if (version >= 2)
            connection.Execute("ALTER TABLE history ADD COLUMN password TEXT");
        if (version >= 4)
            connection.Execute("ALTER TABLE history ADD COLUMN archive INTEGER");
        connection.Execute($"PRAGMA user_version = {version}");
    }

    public string Folder { get; }

    public string Database => Path.Combine(Folder, "admin", "history1.db");

    /// <summary>Adds a finished download.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="category">Its category.</param>
    /// <param name="status">How it ended.</param>
    /// <param name="files">Its posted files.</param>
    /// <param name="password">The password of its archives.</param>
    /// <param name="folder">Name of the folder in which it was downloaded; null: its own.</param>
    public void Add(
        string name, string category, string status, IEnumerable<PostedFile> files, string? password = null, string? folder = null)
    {
        // SABnzbd's own fingerprint.
#pragma warning disable CA5351
        var digest = MD5.HashData(
            Encoding.UTF8.GetBytes(string.Concat(files.SelectMany(file => file.Segments).Select(segment => segment.MessageId))));
#pragma warning restore CA5351
        using var connection = Open();
        connection.Execute(
            "INSERT INTO history (completed, name, nzb_name, category, status, nzo_id, path) VALUES (1700000000, @name, @nzb, @category, " +
            "@status, @id, @path)",
            new { name, nzb = name + ".nzb", category, status, id = IdOf(name), path = "/data/incomplete/" + (folder ?? name) });
        if (_version >= 1)
            connection.Execute(
                "UPDATE history SET md5sum = @digest WHERE name = @name", new { name, digest = Convert.ToHexStringLower(digest) });
        if (_version >= 2)
            connection.Execute("UPDATE history SET password = @password WHERE name = @name", new { name, password });
    }

    /// <summary>Stores the copy of an .nzb.</summary>
    public void Keep(string name, IEnumerable<PostedFile> files) => Write(Path.Combine(Folder, "copies", name + ".nzb.gz"), files);

    /// <summary>The <c>nzo_id</c> of a download.</summary>
    public static string IdOf(string name) => "SABnzbd_nzo_" + name.Replace(' ', '_');

    /// <summary>Archives a download, as SABnzbd does from version 4 on when an *arr deletes it.</summary>
    public void Archive(string name)
    {
        using var connection = Open();
        connection.Execute("UPDATE history SET archive = 1 WHERE name = @name", new { name });
    }

    /// <summary>Adds an unfinished download.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="files">Its posted files.</param>
    /// <param name="category">Its category; null if the file that stores it is lost.</param>
    /// <param name="hasState">False for one that failed: SABnzbd keeps its folder, but not its state.</param>
    public void Leave(string name, IEnumerable<PostedFile> files, string? category = null, bool hasState = true)
    {
        var folder = Path.Combine(Folder, "incomplete", name, "__ADMIN__");
        Write(Path.Combine(folder, name + ".nzb.gz"), files);
        if (hasState)
            File.WriteAllText(Path.Combine(folder, IdOf(name)), "state");
        if (category is not null)
            File.WriteAllBytes(Path.Combine(folder, "SABnzbd_attrib"), [0x80, 4, (byte)'}', (byte)'(', 0x8c, 3, .. "cat"u8, 0x94, 0x8c,
                (byte)category.Length, .. Encoding.ASCII.GetBytes(category), 0x94, (byte)'u', (byte)'.']);
    }

    public SqliteConnection Open()
    {
        var connection = new SqliteConnection(new SqliteConnectionStringBuilder { DataSource = Database, Pooling = false }.ToString());
        connection.Open();
        return connection;
    }

    private static void Write(string path, IEnumerable<PostedFile> files)
    {
        Directory.CreateDirectory(Path.GetDirectoryName(path)!);
        using var packed = new GZipStream(File.Create(path), CompressionLevel.Fastest);
        packed.Write(NzbWriter.ToBytes(files));
    }
}
