using System.IO.Compression;
using System.Text;
using NzbDav.Catalog.Backup;

namespace NzbDav.Catalog.Tests.Backup;

public class DamagedBackupTests
{
    [Theory]
    [InlineData("blobs.txt", Damage.Compressed)]
    [InlineData("blobs.txt", Damage.OtherHash)]
    [InlineData("blobs.txt", Damage.NoHash)]
    [InlineData("blobs.txt", Damage.Missing)]
    [InlineData("patches.txt", Damage.Compressed)]
    [InlineData("manifest.json", Damage.Compressed)]
    public async Task Blobs_stay_while_a_damaged_backup_may_need_them(string entry, Damage damage)
    {
        await using var catalog = await CatalogFixture.OpenAsync();
        catalog.Segments = CatalogFixture.SegmentsOfBlob;
        var job = await catalog.PublishAsync("First", "a");
        var patches = Directory.CreateDirectory(Path.Combine(catalog.Options.PatchFolder, "7"));
        File.WriteAllText(Path.Combine(patches.FullName, "0123abcd"), "an article");
        var backups = new CatalogBackup(catalog.Options, catalog.Clock);
        var old = Create();
        var damaged = Create();
        string[] kept = [.. Directory.GetFiles(backups.Folder, "*", SearchOption.AllDirectories)
            .Where(path => Path.GetDirectoryName(path) != backups.Folder)];
        Assert.Equal(3, kept.Length);
        await catalog.Jobs.DeleteAsync(job.JobId!.Value, withContent: true, CancellationToken.None);
        patches.Delete(recursive: true);
        var newest = Create();
        Apply(damage, Path.Combine(backups.Folder, damaged), entry);

        Assert.True(backups.Remove(old));
        Assert.Equal([damaged], backups.ListDamaged());
        Assert.Equal(0, backups.Prune(2));
        Assert.True(backups.Remove(newest));
        Assert.All(kept, path => Assert.True(File.Exists(path), $"{path} is gone"));

        File.Delete(Path.Combine(backups.Folder, damaged));
        Create();
        Assert.True(backups.Remove(Create()));
        Assert.Empty(backups.ListDamaged());
        Assert.All(kept, path => Assert.False(File.Exists(path), $"{path} is left"));

        string Create()
        {
            catalog.Clock.Advance(TimeSpan.FromDays(1));
            return backups.Create(BackupReason.Schedule, CancellationToken.None).Name;
        }
    }

    private static void Apply(Damage damage, string path, string entry)
    {
        if (damage == Damage.Missing)
        {
            using var zip = ZipFile.Open(path, ZipArchiveMode.Update);
            zip.GetEntry(entry)!.Delete();
            return;
        }

        if (damage == Damage.Compressed)
        {
            Change(path, entry, bytes => bytes.Fill(0xFF));
            return;
        }

        // Stored, so that one byte of the file is one letter of the list.
        using (var zip = ZipFile.Open(path, ZipArchiveMode.Update))
        {
            string text;
            using (var reader = new StreamReader(zip.GetEntry(entry)!.Open()))
                text = reader.ReadToEnd();
            zip.GetEntry(entry)!.Delete();
            using var writer = new StreamWriter(zip.CreateEntry(entry, CompressionLevel.NoCompression).Open());
            writer.Write(text);
        }

        Change(path, entry, bytes => bytes[7] = (byte)(damage == Damage.NoHash ? 'x' : bytes[7] == '0' ? '1' : '0'));
    }

    /// <summary>Changes the stored bytes of an entry, and nothing else in the file.</summary>
    private static void Change(string path, string entry, SpanAction change)
    {
        int length;
        using (var zip = ZipFile.OpenRead(path))
            length = (int)zip.GetEntry(entry)!.CompressedLength;
        var bytes = File.ReadAllBytes(path);

        // The first occurrence of the name is in the entry's own header, whose extra field follows the name.
        var name = bytes.AsSpan().IndexOf(Encoding.ASCII.GetBytes(entry));
        var extra = BitConverter.ToUInt16(bytes, name - 2);
        change(bytes.AsSpan(name + entry.Length + extra, length));
        File.WriteAllBytes(path, bytes);
    }

    private delegate void SpanAction(Span<byte> bytes);

    /// <summary>What happens to an entry.</summary>
    public enum Damage
    {
        /// <summary>Its compressed bytes are overwritten.</summary>
        Compressed,

        /// <summary>A flipped bit makes another hash of one.</summary>
        OtherHash,

        /// <summary>A flipped bit makes something else of a hash.</summary>
        NoHash,

        /// <summary>It is gone.</summary>
        Missing,
    }
}
