namespace NzbDav.Library;

/// <summary>As what the files of a category stand in <c>/completed-symlinks</c>.</summary>
internal enum LinkStyle
{
    /// <summary><c>video.mkv.rclonelink</c>: a symbolic link, where rclone mounts the tree.</summary>
    Link,

    /// <summary><c>video.mkv.strm</c>: a text with an address, for media servers that have no mount. What belongs to a video, such as subtitles, stands there as it is.</summary>
    Address,
}
