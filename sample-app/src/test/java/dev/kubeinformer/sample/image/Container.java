package dev.kubeinformer.sample.image;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

import io.kubernetes.client.openapi.models.V1EnvVar;
import io.kubernetes.client.openapi.models.V1PodSpec;
import io.kubernetes.client.openapi.models.V1Volume;
import io.kubernetes.client.openapi.models.V1VolumeMount;

/**
 * The container of a pod without a kubelet: a process with the tree of the image as its
 * root, read-only, this machine's programs in the place of the base image, the volumes of
 * the pod, the token of its service account, the user of the image and no capabilities.
 * It shares the network of this machine, so it has ports of its own.
 */
final class Container implements AutoCloseable {

	/** Directories of this machine that replace the base image. */
	private static final List<String> BASE = List.of("/usr", "/lib", "/lib64", "/bin", "/etc", "/proc", "/dev", "/sys");

	private static final String SERVICE_ACCOUNT = "/var/run/secrets/kubernetes.io/serviceaccount";

	private static final HttpClient HTTP = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(20)).build();

	private final Path folder;

	private final ImageTree image;

	private final Map<String, Path> mounts = new LinkedHashMap<>();

	private final List<String> readOnly = new ArrayList<>();

	private final Process process;

	private final int port;

	/**
	 * Starts the container.
	 * @param name the name of the pod
	 * @param dockerfile the Dockerfile
	 * @param image what it made
	 * @param pod the pod, of one container
	 * @param configMaps the files of its ConfigMaps, by their names
	 * @param account the files of the service account
	 * @param server where the API server is
	 * @throws IOException if that fails
	 */
	Container(String name, Dockerfile dockerfile, ImageTree image, V1PodSpec pod,
			Map<String, Map<String, String>> configMaps, Map<String, String> account, URI server) throws IOException {
		this.image = image;
		this.folder = Files.createDirectories(image.folder().resolve(name));
		for (V1VolumeMount mount : pod.getContainers().get(0).getVolumeMounts()) {
			V1Volume volume = pod.getVolumes()
				.stream()
				.filter((candidate) -> candidate.getName().equals(mount.getName()))
				.findFirst()
				.orElseThrow();
			mount(mount.getMountPath(), Boolean.TRUE.equals(mount.getReadOnly()),
					(volume.getConfigMap() != null) ? configMaps.get(volume.getConfigMap().getName()) : Map.of());
			Objects.requireNonNull((volume.getConfigMap() != null) ? volume.getConfigMap() : volume.getEmptyDir());
		}
		mount(SERVICE_ACCOUNT, true, account);
		this.port = freePort();
		ProcessBuilder builder = new ProcessBuilder(command(dockerfile.image())).redirectErrorStream(true)
			.redirectOutput(this.folder.resolve("log").toFile());
		builder.environment().clear();
		builder.environment().putAll(environment(name, pod, server));
		this.process = builder.start();
	}

	private void mount(String path, boolean readOnly, Map<String, String> files) throws IOException {
		Path volume = Files.createDirectory(this.folder.resolve("volume-" + this.mounts.size()));
		for (Map.Entry<String, String> file : files.entrySet()) {
			Files.writeString(volume.resolve(file.getKey()), file.getValue());
		}
		Files.setPosixFilePermissions(volume, PosixFilePermissions.fromString("rwxrwxrwx"));
		Files.createDirectories(inImage(path));
		this.mounts.put(path, volume);
		if (readOnly) {
			this.readOnly.add(path);
		}
	}

	private Path inImage(String path) {
		return this.image.root().resolve(path.substring(1));
	}

	private List<String> command(Dockerfile.Stage image) throws IOException {
		StringBuilder script = new StringBuilder("set -e\n");
		script.append("mount --bind '%1$s' '%1$s'\n".formatted(this.image.root()));
		List<String> base = new ArrayList<>(BASE);
		base.add(System.getProperty("java.home"));
		for (String path : base) {
			if (Files.exists(Path.of(path)) && !(path.startsWith("/usr/") && base.contains("/usr"))) {
				Files.createDirectories(inImage(path));
				script.append("mount --rbind '%s' '%s'\n".formatted(path, inImage(path)));
			}
		}
		this.mounts
			.forEach((path, volume) -> script.append("mount --bind '%s' '%s'\n".formatted(volume, inImage(path))));
		this.readOnly.forEach((path) -> script.append("mount -o remount,bind,ro '%s'\n".formatted(inImage(path))));
		script.append("mount -o remount,bind,ro '%s'\n".formatted(this.image.root()));
		String[] user = image.last("USER").split(":");
		script.append("exec chroot '%s' sh -c 'cd %s && exec \"$@\"' sh setpriv --reuid=%s --regid=%s --clear-groups"
			.formatted(this.image.root(), this.image.workdir(), user[0], user[1]));
		script.append(" --no-new-privs --inh-caps=-all --bounding-set=-all \"$@\"\n");
		List<String> command = new ArrayList<>(List.of("unshare", "--mount", "sh", "-c", script.toString(), "sh"));
		command.addAll(image.entrypoint());
		return command;
	}

	private Map<String, String> environment(String name, V1PodSpec pod, URI server) {
		Map<String, String> environment = new LinkedHashMap<>();
		environment.put("PATH", System.getProperty("java.home") + "/bin:/usr/sbin:/usr/bin:/sbin:/bin");
		environment.put("HOME", "/");
		environment.put("HOSTNAME", name);
		environment.put("KUBERNETES_SERVICE_HOST", server.getHost());
		environment.put("KUBERNETES_SERVICE_PORT", String.valueOf(server.getPort()));
		for (V1EnvVar variable : Objects.requireNonNullElse(pod.getContainers().get(0).getEnv(), List.<V1EnvVar>of())) {
			environment.put(variable.getName(), Objects.requireNonNull(variable.getValue()));
		}
		// Memory limit that a cgroup would tell the JVM.
		environment.put("JDK_JAVA_OPTIONS", "-XX:MaxRAM="
				+ pod.getContainers().get(0).getResources().getLimits().get("memory").getNumber().toBigInteger());
		environment.put("SERVER_PORT", "0");
		environment.put("MANAGEMENT_SERVER_PORT", String.valueOf(this.port));
		return environment;
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0)) {
			return socket.getLocalPort();
		}
	}

	/**
	 * Asks the management port.
	 * @param path the path
	 * @return the answer; the status 0 while nobody listens
	 */
	Answer get(String path) {
		try {
			HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:%d%s".formatted(this.port, path)))
				.timeout(Duration.ofSeconds(20))
				.build();
			HttpResponse<String> response = HTTP.send(request, HttpResponse.BodyHandlers.ofString());
			return new Answer(response.statusCode(), response.body());
		}
		catch (IOException ex) {
			return new Answer(0, ex.toString());
		}
		catch (InterruptedException ex) {
			throw new AssertionError(ex);
		}
	}

	boolean isRunning() {
		return this.process.isAlive();
	}

	/**
	 * Returns what the kernel says of the process.
	 * @return lines of a name and a value
	 */
	List<String> status() throws IOException {
		return Files.readAllLines(Path.of("/proc/%d/status".formatted(this.process.pid())));
	}

	String log() {
		try {
			return Files.readString(this.folder.resolve("log"));
		}
		catch (IOException ex) {
			return ex.toString();
		}
	}

	/**
	 * Sends SIGTERM, as the kubelet does, and waits for the end.
	 * @param gracePeriod how long the kubelet would wait
	 * @return the exit code; 137 if it had to be killed
	 */
	int stop(Duration gracePeriod) throws InterruptedException {
		this.process.destroy();
		if (!this.process.waitFor(gracePeriod.toSeconds(), TimeUnit.SECONDS)) {
			this.process.destroyForcibly().waitFor();
		}
		return this.process.exitValue();
	}

	@Override
	public void close() {
		this.process.destroyForcibly().onExit().join();
	}

	/**
	 * Answer.
	 *
	 * @param status the HTTP status
	 * @param body the body
	 */
	record Answer(int status, String body) {

	}

}
