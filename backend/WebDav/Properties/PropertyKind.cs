namespace NzbDav.WebDav.Properties;

/// <summary>Which value a live property has.</summary>
internal enum PropertyKind
{
    CreationDate,
    DisplayName,
    ContentLength,
    ContentType,
    ETag,
    LastModified,
    ResourceType,
    SupportedLock,
    LockDiscovery,
    QuotaAvailable,
    QuotaUsed,
    IsCollection,
}
