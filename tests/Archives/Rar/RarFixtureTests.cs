using NzbDav.Archives.Layouts;

namespace NzbDav.Archives.Tests.Rar;

/// <summary>Archives that the real <c>rar</c> wrote.</summary>
public sealed class RarFixtureTests
{
    /// <summary>RAR takes 127 characters: the last one it takes has two UTF-16 units.</summary>
    private const string WidePassword = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\U0001F600 and more";

    private const string LongPassword = "pass phrase of more than twenty-eight characters";

    [Theory]
    [InlineData("plain5", ArchiveFormat.Rar5, null, PasswordProof.NotNeeded)]
    [InlineData("plain4", ArchiveFormat.Rar4, null, PasswordProof.NotNeeded)]
    [InlineData("blake5", ArchiveFormat.Rar5, null, PasswordProof.NotNeeded)]
    [InlineData("headers5", ArchiveFormat.Rar5, "secret", PasswordProof.CheckValue)]
    [InlineData("headers4", ArchiveFormat.Rar4, "secret", PasswordProof.Headers)]
    [InlineData("data5", ArchiveFormat.Rar5, "secret", PasswordProof.CheckValue)]
    [InlineData("data4", ArchiveFormat.Rar4, "secret", PasswordProof.Checksum)]
    [InlineData("long5", ArchiveFormat.Rar5, LongPassword, PasswordProof.CheckValue)]
    [InlineData("wide5", ArchiveFormat.Rar5, WidePassword, PasswordProof.CheckValue)]
    public async Task Every_entry_of_a_fixture_is_read(string name, ArchiveFormat format, string? password, PasswordProof proof)
    {
        var shelf = Shelf.OfFixtures(name);

        var layout = await shelf.LayOutAsync(passwords: password is null ? [] : ["wrong", password, "wrong too"]);

        Assert.Null(layout.Refusal);
        Assert.Equal((format, password, proof), (layout.Format, layout.Password, layout.Proof));
        await shelf.AssertEqualAsync(Sources.All, layout.Entries);
        Assert.All(layout.Entries.Where(entry => !entry.IsDirectory), entry => Assert.Equal(Sources.Modified, entry.Modified));
        Assert.Contains(layout.Entries, entry => entry is { IsDirectory: true, Path: "Extras" });
    }

    [Theory]
    [InlineData("long4", LongPassword, PasswordProof.Headers)]
    [InlineData("single4", "secret", PasswordProof.Checksum)]
    [InlineData("service4", null, PasswordProof.NotNeeded)]
    [InlineData("service5", null, PasswordProof.NotNeeded)]
    public async Task A_single_video_is_read(string name, string? password, PasswordProof proof)
    {
        var shelf = Shelf.OfFixtures(name);

        var layout = await shelf.LayOutAsync(passwords: password is null ? [] : ["wrong", password]);

        Assert.Equal((null, password, proof), (layout.Refusal, layout.Password, layout.Proof));
        await shelf.AssertEqualAsync(
            new Dictionary<string, byte[]>(StringComparer.Ordinal) { ["video.mkv"] = Sources.All["video.mkv"] }, layout.Entries);
    }

    [Theory]
    [InlineData("headers5")]
    [InlineData("headers4")]
    public async Task Without_the_password_encrypted_headers_are_refused(string name)
    {
        foreach (var (passwords, words) in ((string[], string)[])[([], "there is no password"), (["no"], "the password is wrong"),
            (["a", "b"], "none of the 2 passwords is right")])
        {
            var layout = await Shelf.OfFixtures(name).LayOutAsync(passwords: passwords);

            Assert.Equal(ArchiveRefusalReason.Encrypted, layout.Refusal?.Reason);
            Assert.Contains(words, layout.Refusal!.Text, StringComparison.Ordinal);
            Assert.Empty(layout.Entries);
        }
    }

    [Theory]
    [InlineData("data5")]
    [InlineData("data4")]
    [InlineData("single4")]
    public async Task Without_the_password_encrypted_files_are_refused(string name)
    {
        foreach (var passwords in (string[][])[[], ["no"], ["a", "b"]])
        {
            var layout = await Shelf.OfFixtures(name).LayOutAsync(passwords: passwords);

            Assert.Null(layout.Refusal);
            Assert.All(layout.Entries.Where(entry => entry.Size > 0),
                entry => Assert.Equal(ArchiveRefusalReason.Encrypted, entry.Refusal?.Reason));
            Assert.All(layout.Entries, entry => Assert.Empty(entry.Spans));
            Assert.Contains(layout.Entries, entry => entry.Path == "video.mkv");
        }
    }

    [Theory]
    [InlineData("packed5")]
    [InlineData("packed4")]
    public async Task Compressed_files_are_refused_with_their_method(string name)
    {
        var layout = await Shelf.OfFixtures(name).LayOutAsync();

        var video = Assert.Single(layout.Entries, entry => entry.Path == "video.mkv");
        Assert.Equal(ArchiveRefusalReason.Compressed, video.Refusal?.Reason);
        Assert.StartsWith("RAR compressed, method m3", video.Refusal!.Text, StringComparison.Ordinal);
        Assert.EndsWith(": not streamable.", video.Refusal.Text, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Hard_links_are_read_and_symbolic_links_are_refused()
    {
        var shelf = Shelf.OfFixtures("links5");

        var layout = await shelf.LayOutAsync();

        var video = Sources.All["video.mkv"];
        Assert.Equal(3, layout.Entries.Length);
        foreach (var path in (string[])["hard.mkv", "video.mkv"])
            Assert.Equal(video, await shelf.ReadAsync(Assert.Single(layout.Entries, entry => entry.Path == path)));
        var link = Assert.Single(layout.Entries, entry => entry.Path == "soft.mkv");
        Assert.Equal((ArchiveRefusalReason.Unsupported, "'soft.mkv' is a link to 'video.mkv'."), (link.Refusal!.Reason, link.Refusal.Text));
    }

    [Fact]
    public async Task Blake2_sums_are_reported()
    {
        var layout = await Shelf.OfFixtures("blake5").LayOutAsync();
        Assert.All(layout.Entries.Where(entry => entry.Size > 0), entry => Assert.Equal((32, null), (entry.Blake2.Length, entry.Crc32)));
    }

    [Theory]
    [InlineData("plain5", null)]
    [InlineData("plain4", null)]
    [InlineData("headers5", "secret")]
    [InlineData("headers4", "secret")]
    [InlineData("data5", "secret")]
    [InlineData("data4", "secret")]
    public async Task The_order_and_names_of_volumes_do_not_matter(string name, string? password)
    {
        for (var seed = 0; seed < 10; seed++)
        {
            var random = new Random(seed);
            var shelf = Shelf.OfFixtures(name).Rearranged(files =>
                files.Select(file => ($"{random.NextInt64():x}", file.Bytes)).OrderBy(_ => random.Next()).ToArray());

            var layout = await shelf.LayOutAsync(passwords: password is null ? [] : [password]);

            Assert.Null(layout.Refusal);
            await shelf.AssertEqualAsync(Sources.All, layout.Entries);
        }
    }

    [Theory]
    [InlineData("plain5", null)]
    [InlineData("plain4", null)]
    [InlineData("headers5", "secret")]
    [InlineData("headers4", "secret")]
    public async Task A_missing_volume_is_reported_wherever_it_is(string name, string? password)
    {
        var count = Shelf.OfFixtures(name).Names.Count;
        for (var missing = 0; missing < count; missing++)
        {
            foreach (var noise in (bool[])[false, true])
            {
                var shelf = Shelf.OfFixtures(name).Rearranged(
                    files => files.Where((_, i) => i != missing).Select((file, i) => (noise ? $"noise{i}" : file.Name, file.Bytes)));

                var scan = await shelf.ScanAsync(passwords: password is null ? [] : [password]);

                Assert.NotEmpty(scan.Layouts);
                Assert.All(scan.Layouts, layout => Assert.Equal(ArchiveRefusalReason.MissingVolumes, layout.Refusal?.Reason));
                Assert.Equal(Enumerable.Range(0, count - 1), scan.Layouts.SelectMany(layout => layout.Volumes).Order());
            }
        }
    }
}
