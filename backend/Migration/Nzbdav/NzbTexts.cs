using System.Text;
using NzbDav.Migration.Database;
using NzbDav.Migration.Packed;

namespace NzbDav.Migration.Nzbdav;

/// <summary>The text of an .nzb in a row, which nzbdav2 may have packed.</summary>
internal static class NzbTexts
{
    private const int Longest = 512 << 20;

    private const string Packed = "ZSTD:";

    /// <summary>Opens the text of a row; null if there is none.</summary>
    /// <param name="database">The database.</param>
    /// <param name="table">A table with <c>Id</c> and <c>NzbContents</c>.</param>
    /// <param name="id">As the row has it.</param>
    public static Func<Stream>? Find(OldDatabase database, string table, string id) =>
        database.HasColumn(table, "NzbContents")
            && database.List<long>(
                $"SELECT length(NzbContents) FROM {table} WHERE Id = @id AND NzbContents <> ''", new { id }) is [> 0 and <= Longest]
            ? () => new MemoryStream(Read(database, table, id), writable: false)
            : null;

    private static byte[] Read(OldDatabase database, string table, string id)
    {
        var text = database.List<string>($"SELECT NzbContents FROM {table} WHERE Id = @id", new { id })[0];
        return text.StartsWith(Packed, StringComparison.Ordinal)
            ? BoundedBytes.Unpack(Convert.FromBase64String(text[Packed.Length..]), Longest) : Encoding.UTF8.GetBytes(text);
    }
}
