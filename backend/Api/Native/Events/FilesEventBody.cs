namespace NzbDav.Api.Native.Events;

/// <summary>Data of the event "files".</summary>
/// <param name="Parents">Ids of the collections whose children changed; empty: any of them may have changed.</param>
internal sealed record FilesEventBody(IReadOnlyList<string> Parents);
