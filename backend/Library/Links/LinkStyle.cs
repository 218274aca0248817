namespace NzbDav.Library.Links;

/// <summary>How the files of a category are listed in <c>/completed-symlinks</c>.</summary>
internal enum LinkStyle
{
    /// <summary><c>video.mkv.rclonelink</c>: a symbolic link, where rclone mounts the tree.</summary>
    Link,

    /// <summary><c>video.mkv.strm</c>: a text with an address, for media servers that have no mount. What belongs to a video, such as subtitles, stands there as it is.</summary>
    Address,
}
