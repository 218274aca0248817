using System.IO.Pipelines;
using System.Text;
using NzbDav.Content;
using NzbDav.Fakes;
using NzbDav.Library.Items;
using NzbDav.Library.Scratch;
using NzbDav.WebDav.Properties;
using NzbDav.WebDav.Store;
using NzbDav.WebDav.Xml;

namespace NzbDav.Library.Tests.Scratch;

/// <summary><c>/scratch</c>: files on disk.</summary>
public class ScratchTests
{
    [Fact]
    public async Task Files_are_written_replaced_and_read_back()
    {
        await using var library = await LibraryFixture.OpenAsync();
        var bytes = SeededBytes.Make(7, 3_000_000);
        Assert.Equal(StoreWriteStatus.Created, (await library.PutAsync("/scratch/f.bin", bytes)).Status);
        var file = (IStoreFile)(await library.FindAsync("/scratch/f.bin"))!;
        Assert.Equal((bytes.Length, StoreKeeping.Everything), (file.Length, file.Keeping));
        var content = (await file.OpenAsync(CancellationToken.None)).Content!;
        foreach (var (start, end) in ((int, int)[])[(0, bytes.Length), (1, 2), (262_143, 1_000_001), (bytes.Length - 1, bytes.Length)])
        {
            await using var reader = content.OpenReader(start, end, ReadIntent.Playback);
            var got = new List<byte>();
            while (true)
            {
                using var lease = await reader.NextAsync(CancellationToken.None);
                if (lease.IsEmpty)
                    break;
                got.AddRange(lease.Memory.Span);
                Assert.Equal(start + got.Count, reader.Position);
            }

            Assert.Equal(bytes[start..end], got);
        }

        Assert.Equal(StoreWriteStatus.Replaced, (await library.PutAsync("/scratch/f.bin", [], tellLength: false)).Status);
        Assert.Equal("", await library.TextAsync("/scratch/f.bin"));
        Assert.Equal(0, library.Pool.Rented);
        Assert.Equal(0, library.Pool.Budget.Reserved);
    }

    [Fact]
    public async Task A_tag_is_never_reused_even_if_the_clock_stands_still()
    {
        await using var library = await LibraryFixture.OpenAsync();
        var tags = new HashSet<string>();
        for (var i = 0; i < 50; i++)
        {
            await library.PutAsync("/scratch/f", $"{i:D2}");
            Assert.True(tags.Add((await library.FindAsync("/scratch/f"))!.ETag));
        }

        var tag = (await library.FindAsync("/scratch/f"))!.ETag;
        Assert.Equal(tag, (await library.NewStore().GetItemAsync(LibraryFixture.PathOf("/scratch/f"), CancellationToken.None))!.ETag);
        await library.CopyAsync("/scratch/f", "/scratch/g");
        Assert.True(tags.Add((await library.FindAsync("/scratch/g"))!.ETag));
        Assert.Equal(StoreWriteStatus.Replaced, await library.MoveAsync("/scratch/g", "/scratch/f"));
        Assert.NotEqual(tag, (await library.FindAsync("/scratch/f"))!.ETag);
    }

    [Fact]
    public async Task An_aborted_upload_keeps_the_old_file()
    {
        await using var library = await LibraryFixture.OpenAsync();
        await library.PutAsync("/scratch/f", "old");
        var folder = (IStoreCollection)(await library.FindAsync("/scratch"))!;
        var pipe = new Pipe();
        await pipe.Writer.WriteAsync("half of the new"u8.ToArray());
        var putting = folder.PutAsync("f", pipe.Reader, 100, CancellationToken.None).AsTask();
        Assert.Equal("old", await library.TextAsync("/scratch/f"));
        await pipe.Writer.CompleteAsync(new OperationCanceledException());
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => putting);
        Assert.Equal("old", await library.TextAsync("/scratch/f"));
        Assert.Empty(Directory.EnumerateFileSystemEntries(Path.Combine(library.Folder, "scratch", "unfinished")));
    }

    [Fact]
    public async Task A_reader_keeps_reading_the_file_it_opened()
    {
        await using var library = await LibraryFixture.OpenAsync();
        var old = SeededBytes.Make(1, 1_000_000);
        await library.PutAsync("/scratch/f", old);
        var content = (await ((IStoreFile)(await library.FindAsync("/scratch/f"))!).OpenAsync(CancellationToken.None)).Content!;
        await using var reader = content.OpenReader(0, old.Length, ReadIntent.Playback);
        var got = new List<byte>();
        using (var first = await reader.NextAsync(CancellationToken.None))
            got.AddRange(first.Memory.Span);
        await library.PutAsync("/scratch/f", SeededBytes.Make(2, 1_000_000));
        await library.DeleteAsync("/scratch/f");
        while (true)
        {
            using var lease = await reader.NextAsync(CancellationToken.None);
            if (lease.IsEmpty)
                break;
            got.AddRange(lease.Memory.Span);
        }

        Assert.Equal(old, got);
    }

    [Fact]
    public async Task Folders_are_made_copied_moved_and_deleted()
    {
        await using var library = await LibraryFixture.OpenAsync();
        Assert.Equal(StoreWriteStatus.Created, await library.MakeAsync("/scratch/a"));
        Assert.Equal(StoreWriteStatus.Created, await library.MakeAsync("/scratch/a/b"));
        await library.PutAsync("/scratch/a/b/.hidden", "1");
        await library.PutAsync("/scratch/a/x", "2");
        Assert.Equal([".hidden"], await library.ListAsync("/scratch/a/b"));
        Assert.Equal(StoreWriteStatus.Created, await library.CopyAsync("/scratch/a", "/scratch/c"));
        Assert.Equal("1", await library.TextAsync("/scratch/c/b/.hidden"));
        Assert.Equal(StoreWriteStatus.Created, await library.CopyAsync("/scratch/a", "/scratch/flat", recursive: false));
        Assert.Empty(await library.ListAsync("/scratch/flat"));
        Assert.Equal(StoreWriteStatus.Created, await library.MoveAsync("/scratch/c", "/scratch/flat/d"));
        Assert.Equal("2", await library.TextAsync("/scratch/flat/d/x"));
        Assert.Null(await library.FindAsync("/scratch/c"));
        Assert.Equal(StoreWriteStatus.Deleted, await library.DeleteAsync("/scratch/flat"));
        Assert.Null(await library.FindAsync("/scratch/flat/d/x"));
        Assert.Equal(StoreWriteStatus.NotFound, await library.DeleteAsync("/scratch/flat"));
        Assert.Equal(["a/"], await library.ListAsync("/scratch"));
        Assert.Null(await library.FindAsync("/scratch/a/x/y"));
        var quota = ((IStoreCollection)(await library.FindAsync("/scratch"))!).Quota;
        Assert.True(quota is { Available: > 0, Used: > 0 });
    }

    [Fact]
    public async Task Nothing_leads_out_of_the_folder()
    {
        await using var library = await LibraryFixture.OpenAsync();
        var files = Path.Combine(library.Folder, "scratch", "files");
        var outside = Path.Combine(library.Folder, "outside");
        Directory.CreateDirectory(outside);
        await File.WriteAllTextAsync(Path.Combine(outside, "secret"), "secret");
        File.CreateSymbolicLink(Path.Combine(files, "link"), Path.Combine(outside, "secret"));
        Directory.CreateSymbolicLink(Path.Combine(files, "way"), outside);
        Assert.Empty(await library.ListAsync("/scratch"));
        foreach (var path in (string[])["/scratch/link", "/scratch/way", "/scratch/way/secret"])
            Assert.Null(await library.FindAsync(path));
        Assert.Equal(StoreWriteStatus.NotFound, await library.DeleteAsync("/scratch/link"));
        Assert.Equal(StoreWriteStatus.NotFound, await library.MoveAsync("/scratch/way", "/scratch/here"));

        // Replaces a link: the link is removed, its target is not.
        await library.PutAsync("/scratch/link", "mine");
        Assert.Equal("secret", await File.ReadAllTextAsync(Path.Combine(outside, "secret")));
        Assert.Equal("mine", await library.TextAsync("/scratch/link"));
    }

    [Fact]
    public async Task Names_the_disk_does_not_support_are_refused()
    {
        await using var library = await LibraryFixture.OpenAsync();
        var longest = string.Concat(Enumerable.Repeat("日", 85));
        Assert.Equal(StoreWriteStatus.Created, (await library.PutAsync("/scratch/" + longest, "x")).Status);
        Assert.Equal("x", await library.TextAsync("/scratch/" + longest));
        Assert.Equal(StoreWriteStatus.Invalid, (await library.PutAsync($"/scratch/{longest}y", "x")).Status);
        Assert.Equal(StoreWriteStatus.Invalid, await library.MakeAsync($"/scratch/{longest}y"));
        Assert.Equal(StoreWriteStatus.Invalid, await library.MoveAsync("/scratch/" + longest, $"/scratch/{longest}y"));
        Assert.Null(await library.FindAsync($"/scratch/{longest}y"));
        foreach (var name in (string[])["a\\b", "c:", "tab\t", "trailing. ", "\u0001", "*?"])
        {
            var path = StorePath.Root.Child("scratch").Child(name);
            var folder = (IStoreCollection)(await library.FindAsync("/scratch"))!;
            Assert.Equal(StoreWriteStatus.Created,
                (await folder.PutAsync(name, PipeReader.Create(new MemoryStream("y"u8.ToArray())), 1, CancellationToken.None)).Status);
            Assert.NotNull(await library.Store.GetItemAsync(path, CancellationToken.None));
        }
    }

    [Fact]
    public async Task Unfinished_uploads_of_an_earlier_process_are_removed()
    {
        await using var library = await LibraryFixture.OpenAsync();
        await library.PutAsync("/scratch/f", "kept");
        var unfinished = Path.Combine(library.Folder, "scratch", "unfinished");
        Directory.CreateDirectory(Path.Combine(unfinished, "d"));
        await File.WriteAllTextAsync(Path.Combine(unfinished, "d", "x"), "half");
        _ = new ScratchFolder(Path.Combine(library.Folder, "scratch"), library.Pool, library.Time);
        Assert.Empty(Directory.EnumerateFileSystemEntries(unfinished));
        Assert.Equal("kept", await library.TextAsync("/scratch/f"));
    }

    [Fact]
    public async Task Without_the_setting_there_is_no_scratch_folder()
    {
        await using var library = await LibraryFixture.OpenAsync();
        var store = new LibraryStore(
            new(library.Tree, library.Jobs, library.Blobs, library.Links, library.Holds, library.Unwanted, library.Aliases),
            null!, library.Drop,
            new LibraryOptions(), library.Time);
        Assert.Null(await store.GetItemAsync(LibraryFixture.PathOf("/scratch"), CancellationToken.None));
        var root = (IStoreCollection)(await store.GetItemAsync(StorePath.Root, CancellationToken.None))!;
        await foreach (var child in root.GetChildrenAsync(CancellationToken.None))
            Assert.NotEqual("scratch", child.Name);
    }

    [Fact]
    public async Task Properties_are_kept_over_a_restart()
    {
        await using var library = await LibraryFixture.OpenAsync();
        var name = new PropertyName("urn:x", "p");
        var folder = LibraryFixture.PathOf("/scratch/a");
        var other = LibraryFixture.PathOf("/scratch/a-");
        foreach (var path in (StorePath[])[folder, folder.Child("f"), folder.Child("f").Child("g"), other])
            Assert.True(await library.Properties.WriteAsync(path, [new(name, $"<p xmlns='urn:x'>{path}</p>")], CancellationToken.None));
        Assert.True(await library.Properties.HaveChildrenAnyAsync(folder.Parent, CancellationToken.None));
        Assert.False(await library.Properties.HaveChildrenAnyAsync(other, CancellationToken.None));
        var to = LibraryFixture.PathOf("/scratch/b");
        await library.Properties.CopyAsync(folder, to, recursive: true, CancellationToken.None);
        await library.Properties.MoveAsync(folder, LibraryFixture.PathOf("/scratch/c"), CancellationToken.None);
        Assert.Empty(await library.Properties.ReadAsync(folder.Child("f"), CancellationToken.None));
        foreach (var path in (StorePath[])[to.Child("f").Child("g"), LibraryFixture.PathOf("/scratch/c/f/g")])
            Assert.Equal([new DeadProperty(name, "<p xmlns='urn:x'>/scratch/a/f/g</p>")],
                await library.Properties.ReadAsync(path, CancellationToken.None));
        Assert.Single(await library.Properties.ReadAsync(other, CancellationToken.None));
        await library.Properties.RemoveAsync(to, CancellationToken.None);
        Assert.Empty(await library.Properties.ReadAsync(to.Child("f"), CancellationToken.None));
        Assert.Single(await library.Properties.ReadAsync(LibraryFixture.PathOf("/scratch/c"), CancellationToken.None));

        var many = Enumerable.Range(0, IDeadProperties.MaxPerItem).Select(i => new PropertyChange(new("urn:x", $"p{i}"), "<x/>")).ToList();
        Assert.False(await library.Properties.WriteAsync(other, many, CancellationToken.None));
        Assert.Single(await library.Properties.ReadAsync(other, CancellationToken.None));
        Assert.True(await library.Properties.WriteAsync(other, [new(name, Xml: null), .. many], CancellationToken.None));
        Assert.Equal(IDeadProperties.MaxPerItem, (await library.Properties.ReadAsync(other, CancellationToken.None)).Count);
        Assert.Equal(Encoding.UTF8.GetByteCount("<x/>"), (await library.Properties.ReadAsync(other, CancellationToken.None))[0].Xml.Length);
    }
}
