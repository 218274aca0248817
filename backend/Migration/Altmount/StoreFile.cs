using NzbDav.Migration.Packed;
using NzbDav.Migration.Rebuilding;

namespace NzbDav.Migration.Altmount;

/// <summary>A <c>.nzbz</c> file of altmount: the .nzb of a release in another form.</summary>
internal sealed class StoreFile
{
    private readonly List<StoredPost> _posts = [];
    private readonly List<(string Id, int Number, long Bytes)> _articles = [];

    /// <summary>The articles of all posted files, as references count them.</summary>
    public IReadOnlyList<(string Id, int Number, long Bytes)> Articles => _articles;

    /// <summary>
    /// True when it was made from a .meta file whose .nzb was gone: subjects are names of the tree, articles that no file used are missing,
    /// and sizes are decoded.
    /// </summary>
    public bool IsInvented =>
        _posts.TrueForAll(post => !post.Subject.Contains('"') && !post.Subject.Contains("yEnc", StringComparison.OrdinalIgnoreCase));

    /// <exception cref="InvalidDataException">It is damaged.</exception>
    public static StoreFile Parse(ReadOnlySpan<byte> bytes)
    {
        var store = new StoreFile();
        var reader = new ProtobufReader(bytes);
        while (reader.Next())
        {
            if (reader.Field == 1)
                store.Add(reader.Bytes);
        }

        return store;
    }

    /// <summary>The .nzb.</summary>
    /// <param name="password">Password of its archives; null: none.</param>
    public byte[] ToNzb(string? password)
    {
        using var text = new NzbText(password);
        foreach (var post in _posts)
            text.Add(post.Subject, post.Poster, post.Date, post.Groups,
                _articles.Skip(post.First).Take(post.Count).Select(article => (article.Number, article.Bytes, article.Id)));
        return text.Finish();
    }

    private void Add(ReadOnlySpan<byte> bytes)
    {
        var (subject, poster, date, groups, first) = ("", "", 0L, new List<string>(), _articles.Count);
        var reader = new ProtobufReader(bytes);
        while (reader.Next())
        {
            switch (reader.Field)
            {
                case 1: subject = reader.Text; break;
                case 2: poster = reader.Text; break;
                case 3: date = reader.Number; break;
                case 4: groups.Add(reader.Text); break;
                case 5: Add(reader.Bytes, _articles.Count - first + 1); break;
            }
        }

        _posts.Add(new StoredPost(subject, poster, date, groups, first, _articles.Count - first));
    }

    private void Add(ReadOnlySpan<byte> bytes, int place)
    {
        var (id, number, size) = ("", 0L, 0L);
        var reader = new ProtobufReader(bytes);
        while (reader.Next())
        {
            switch (reader.Field)
            {
                case 1: id = reader.Text; break;
                case 2: number = reader.Number; break;
                case 3: size = reader.Number; break;
            }
        }

        if (_articles.Count == MetaFile.MostArticles)
            throw new InvalidDataException("it names more articles than any release has");
        _articles.Add((id.Trim('<', '>'), number is > 0 and <= int.MaxValue ? (int)number : place, Math.Max(0, size)));
    }

    private sealed record StoredPost(string Subject, string Poster, long Date, List<string> Groups, int First, int Count);
}
