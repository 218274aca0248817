using System.Text.Json;
using System.Text.Json.Serialization;
using NzbDav.Arr.Resources;

namespace NzbDav.Arr.Client;

/// <summary>Source-generated serialisers. Null values are omitted, because in some fields the applications treat null as a value.</summary>
[JsonSourceGenerationOptions(JsonSerializerDefaults.Web, DefaultIgnoreCondition = JsonIgnoreCondition.WhenWritingNull)]
[JsonSerializable(typeof(ArrValidation[]))]
[JsonSerializable(typeof(ArrMessage))]
[JsonSerializable(typeof(SystemStatus))]
[JsonSerializable(typeof(ArrPage<QueueItem>))]
[JsonSerializable(typeof(ArrPage<HistoryItem>))]
[JsonSerializable(typeof(HistoryItem[]))]
[JsonSerializable(typeof(QueueStatus))]
[JsonSerializable(typeof(MediaFile))]
[JsonSerializable(typeof(MediaFile[]))]
[JsonSerializable(typeof(MediaOwner[]))]
[JsonSerializable(typeof(Episode[]))]
[JsonSerializable(typeof(CommandRequest))]
[JsonSerializable(typeof(CommandStatus))]
[JsonSerializable(typeof(RootFolder[]))]
[JsonSerializable(typeof(FolderListing))]
[JsonSerializable(typeof(DownloadClient))]
[JsonSerializable(typeof(DownloadClient[]))]
[JsonSerializable(typeof(DownloadClientConfig))]
[JsonSerializable(typeof(RemotePathMapping))]
[JsonSerializable(typeof(RemotePathMapping[]))]
[JsonSerializable(typeof(ProwlarrRelease[]))]
[JsonSerializable(typeof(string))]
[JsonSerializable(typeof(int))]
[JsonSerializable(typeof(bool))]
internal sealed partial class ArrJson : JsonSerializerContext;
