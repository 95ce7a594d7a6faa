package dev.kubeinformer.internal.client.kubeconfig;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import dev.kubeinformer.internal.client.ClusterAccess;
import dev.kubeinformer.types.ClientConfigurationException;

/**
 * Reads kubeconfigs by the rules of client-go. It rejects everything that kubectl
 * rejects, and does not use credentials for servers without HTTPS. Unlike kubectl, it
 * also rejects a context whose user does not exist, and treats blank values as absent.
 */
public final class Kubeconfigs {

	private static final String ANOTHER = "Correct it, or name another file.";

	private Kubeconfigs() {
	}

	/**
	 * Reads files, merges them, and resolves a context. Reads neither certificates nor
	 * tokens, and does not run a plugin.
	 * @param request the requested kubeconfig
	 * @return the access to the cluster
	 * @throws ClientConfigurationException if kubectl would not connect either
	 */
	public static ClusterAccess read(KubeconfigRequest request) {
		List<Path> paths = request.files().stream().distinct().toList();
		List<Path> found = new ArrayList<>();
		List<KubeconfigContent> contents = new ArrayList<>();
		for (Path path : paths) {
			Place place = place(List.of(path), request.origin());
			byte[] content = content(path, place);
			if (content != null) {
				found.add(path);
				contents.add(KubeconfigDecoder.decode(YamlTree.read(content, place), place, path.toAbsolutePath()));
			}
		}
		if (found.isEmpty()) {
			throw place(paths, request.origin()).invalid(null, "does not exist", "Create it, or name another file.");
		}
		return new KubeconfigResolver(KubeconfigContent.merge(contents), place(found, request.origin()),
				request.credentialsElsewhere())
			.resolve(request.context(), request.contextOption(), "kubeconfig '%s'".formatted(shown(found)));
	}

	private static Place place(List<Path> paths, String origin) {
		return new Place("The kubeconfig '%s' (from %s)".formatted(shown(paths), origin));
	}

	private static String shown(List<Path> paths) {
		return paths.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
	}

	private static byte @Nullable [] content(Path path, Place place) {
		try (InputStream input = Files.newInputStream(path)) {
			byte[] content = input.readNBytes(YamlTree.LARGEST + 1);
			if (content.length > YamlTree.LARGEST) {
				throw YamlTree.tooLarge(place);
			}
			return content;
		}
		catch (NoSuchFileException ex) {
			return null;
		}
		catch (AccessDeniedException ex) {
			throw place.invalid(null, "may not be read by this process", "Allow this process to read it.");
		}
		catch (IOException ex) {
			if (Files.isDirectory(path)) {
				throw place.invalid(null, "is a directory", "Name the file in it.");
			}
			String reason = (ex instanceof FileSystemException failure) ? failure.getReason() : null;
			throw place.invalid(null,
					"cannot be read (%s)".formatted((reason != null) ? reason : ex.getClass().getSimpleName()),
					ANOTHER);
		}
	}

	/**
	 * Reads a kubeconfig from a text, and resolves its current context. Relative paths
	 * stay relative.
	 * @param yaml the text
	 * @param place the name of the text in messages, as the subject of a sentence
	 * @return the access to the cluster
	 * @throws ClientConfigurationException if kubectl would not connect either
	 */
	public static ClusterAccess parse(String yaml, String place) {
		Place whole = new Place(place);
		KubeconfigContent content = KubeconfigDecoder.decode(YamlTree.read(yaml, whole), whole, null);
		return new KubeconfigResolver(content, whole, true).resolve(null, null, place.replaceFirst("^The ", ""));
	}

	/**
	 * Splits the value of the variable {@code KUBECONFIG}. Skips empty and repeated
	 * elements. Also resolves elements that begin with {@code ~}, because a shell
	 * resolves them only in variables that are set in the shell, not in variables from a
	 * file.
	 * @param variable its value
	 * @param home the home directory
	 * @return the files, in their order
	 * @throws java.nio.file.InvalidPathException if an element is not a path
	 */
	public static List<Path> paths(String variable, Path home) {
		return KubeconfigPaths.list(variable, (element) -> path(element, home));
	}

	/**
	 * Parses a path, a path that begins with {@code ~}, or a URL that begins with
	 * {@code file:}.
	 * @param text the text
	 * @param home the home directory
	 * @return the path
	 * @throws java.nio.file.InvalidPathException if the text is not a path
	 */
	public static Path path(String text, Path home) {
		return KubeconfigPaths.path(text, home);
	}

}
