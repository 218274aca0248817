using System.Text;
using NzbDav.Library.Links;
using NzbDav.WebDav.Store;
using NzbDav.WebDav.View;

namespace NzbDav.Library.Export;

/// <summary>Generates the content of the small files. Thread-safe.</summary>
/// <param name="options">What is exported.</param>
/// <param name="views">Signs addresses.</param>
internal sealed class ExportTexts(ExportOptions options, ViewLinks views)
{
    /// <summary>The text of a file, or what a link leads to.</summary>
    public byte[] Of(ExportEntry entry) => Encoding.UTF8.GetBytes(entry.Form switch
    {
        ExportForm.Address => options.AddressRoot + views.PathTo(StorePath.TryParse(options.Follows ? LibraryStore.PlayPath(entry.Id) : IdPath.Of(entry.Id))!, entry.Name),
        ExportForm.Link => options.MountPath + (options.Follows ? $"/{entry.Parent}/{entry.Name}" : IdPath.Of(entry.Id)),
        _ => NfoText.Of(entry.Name, new DateTimeOffset(entry.CreatedTicks, TimeSpan.Zero)),
    });
}
