package dev.kubeinformer.benchmark;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;

import io.kubernetes.client.openapi.JSON;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodSpec;

/**
 * Server with hardly any overhead: it serves LIST and WATCH of pods, on plain sockets,
 * with bytes that were encoded before. It runs in a separate process, which the measuring
 * programs start, and executes the commands on its standard input:
 * <ul>
 * <li>{@code send events rate}: changes one pod after another, with the time of sending
 * in an annotation; a rate of 0 means as fast as possible</li>
 * <li>{@code expire}: ends the watch with an expired version, which causes a list</li>
 * <li>{@code change pods}: changes that number of pods, spread over all, without an
 * event</li>
 * <li>{@code hold}: stops the next list before its end, and then writes a line</li>
 * <li>{@code release}: completes the list</li>
 * </ul>
 */
public final class RawApi {

	/** Annotation with the time of sending, by {@link System#nanoTime()}. */
	static final String SENT = "benchmark/sent-nanos";

	private static final int DIGITS = 19;

	private static final String END = "{\"type\":\"BOOKMARK\",\"object\":{\"kind\":\"Pod\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"%s\",\"annotations\":{\"k8s.io/initial-events-end\":\"true\"}}}}\n";

	private static final String EXPIRED = "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"message\":\"too old\",\"reason\":\"Expired\",\"code\":410}}\n";

	private final Frame[] frames;

	private final AtomicLong version = new AtomicLong(1_000_000_000_000_000_000L);

	private final LinkedBlockingQueue<String> commands = new LinkedBlockingQueue<>();

	private final Semaphore released = new Semaphore(0);

	private final AtomicBoolean holding = new AtomicBoolean();

	private RawApi(int pods, Function<Integer, V1Pod> pod) {
		this.frames = new Frame[pods];
		for (int i = 0; i < pods; i++) {
			this.frames[i] = new Frame(i, pod.apply(i), this.version.incrementAndGet());
		}
	}

	/**
	 * Serves until its standard input ends; its first line of output is the port.
	 * @param arguments the number of pods and their kind: {@code large}, {@code small},
	 * or {@code small} with long names: {@code named}, {@code colliding} (with one hash
	 * code), or {@code labelled} (of deployments with twenty pods each, in a hundred
	 * namespaces)
	 * @throws IOException if the server cannot start
	 */
	public static void main(String... arguments) throws IOException {
		RawApi api = new RawApi(Integer.parseInt(arguments[0]), pods(arguments[1]));
		RawServer.run(api::answer, api::command);
	}

	private void command(String line) {
		if (line.equals("hold")) {
			this.holding.set(true);
		}
		else if (line.equals("release")) {
			this.released.release();
		}
		else {
			this.commands.add(line);
		}
	}

	private static Function<Integer, V1Pod> pods(String kind) {
		return switch (kind) {
			case "large" -> LargePod::of;
			case "named" -> (number) -> small("deployment-5d8f7c9b6-%09d".formatted(number));
			case "colliding" -> (number) -> small(colliding(number));
			case "labelled" -> RawApi::labelled;
			default -> (number) -> small("pod-" + number);
		};
	}

	private static V1Pod small(String name) {
		return new V1Pod().metadata(new V1ObjectMeta().namespace("default").name(name));
	}

	private static V1Pod labelled(int number) {
		int app = number / 20;
		V1Pod pod = small("service-%d-%08x-%05x".formatted(app, (app * 0x9E3779B9) >>> 1,
				(number * 0x85EBCA6B >>> 12) & 0xFFFFF));
		pod.getMetadata()
			.namespace("team-" + app % 100)
			.labels(Map.of("app", "service-" + app, "pod-template-hash", "%08x".formatted(app), "tier",
					(app % 3 == 0) ? "front" : "back"));
		return pod.spec(new V1PodSpec().nodeName("node-" + number * 7L % 1000));
	}

	/**
	 * Returns a name of 30 characters.
	 * @param number the number of the name, less than 32768
	 * @return the name; all names have the same {@link String#hashCode()}
	 */
	static String colliding(int number) {
		StringBuilder name = new StringBuilder();
		for (int bit = 14; bit >= 0; bit--) {
			name.append(((number >> bit & 1) == 0) ? "an" : "c0");
		}
		return name.toString();
	}

	private void answer(String request, OutputStream output) throws IOException, InterruptedException {
		output.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
			.getBytes(StandardCharsets.US_ASCII));
		if (request.contains("watch=true")) {
			watch(output, request.contains("sendInitialEvents=true"));
		}
		else {
			list(output);
		}
	}

	private void list(OutputStream output) throws IOException, InterruptedException {
		chunk(output, "{\"kind\":\"PodList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"" + this.version
				+ "\"},\"items\":[");
		byte[] comma = { ',' };
		for (int i = 0; i < this.frames.length; i++) {
			if (i > 0) {
				RawServer.chunk(output, comma, 0, 1);
			}
			Frame frame = this.frames[i];
			RawServer.chunk(output, frame.bytes, Frame.PREFIX.length(), frame.bytes.length - Frame.PREFIX.length() - 2);
		}
		hold(output);
		chunk(output, "]}");
	}

	private void hold(OutputStream output) throws IOException, InterruptedException {
		if (this.holding.getAndSet(false)) {
			output.flush();
			System.out.println("held");
			this.released.acquire();
		}
	}

	private void watch(OutputStream output, boolean initial) throws IOException, InterruptedException {
		if (initial) {
			for (Frame frame : this.frames) {
				byte[] added = frame.added();
				RawServer.chunk(output, added, 0, added.length);
			}
			chunk(output, END.formatted(this.version));
		}
		output.flush();
		while (true) {
			String[] command = this.commands.take().split(" ");
			if (command[0].equals("expire")) {
				this.version.incrementAndGet();
				chunk(output, EXPIRED);
				return;
			}
			if (command[0].equals("change")) {
				change(Integer.parseInt(command[1]));
				continue;
			}
			send(output, Integer.parseInt(command[1]), Integer.parseInt(command[2]));
		}
	}

	private void change(int pods) {
		for (int i = 0; i < pods; i++) {
			this.frames[(int) ((long) i * this.frames.length / pods)].change(this.version.incrementAndGet(), i);
		}
	}

	private void send(OutputStream output, int events, int rate) throws IOException {
		long start = System.nanoTime();
		for (int i = 0; i < events; i++) {
			if (rate > 0) {
				long due = start + i * 1_000_000_000L / rate;
				if (due - System.nanoTime() > 0) {
					output.flush();
					while (due - System.nanoTime() > 0) {
						LockSupport.parkNanos(due - System.nanoTime());
					}
				}
			}
			Frame frame = this.frames[i % this.frames.length];
			frame.change(this.version.incrementAndGet(), System.nanoTime());
			RawServer.chunk(output, frame.bytes, 0, frame.bytes.length);
		}
		output.flush();
	}

	private static void chunk(OutputStream output, String text) throws IOException {
		byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
		RawServer.chunk(output, bytes, 0, bytes.length);
	}

	/** Encoded change of one pod. */
	private static final class Frame {

		static final String PREFIX = "{\"type\":\"MODIFIED\",\"object\":";

		private final byte[] bytes;

		private final int versionAt;

		private final int sentAt;

		Frame(int number, V1Pod pod, long version) {
			String json = JSON.serialize(completed(number, pod));
			String text = PREFIX + json + "}\n";
			this.bytes = text.getBytes(StandardCharsets.UTF_8);
			this.versionAt = text.indexOf("7777777777777777777");
			this.sentAt = text.indexOf("8888888888888888888");
			change(version, 0);
		}

		private static V1Pod completed(int number, V1Pod pod) {
			pod.apiVersion("v1").kind("Pod");
			pod.getMetadata()
				.uid(String.format(Locale.ROOT, "1b4e28ba-2fa1-11d2-883f-%012d", number))
				.resourceVersion("7777777777777777777");
			pod.getMetadata()
				.annotations(new LinkedHashMap<>(
						(pod.getMetadata().getAnnotations() != null) ? pod.getMetadata().getAnnotations() : Map.of()));
			pod.getMetadata().putAnnotationsItem(SENT, "8888888888888888888");
			return pod;
		}

		void change(long version, long sent) {
			write(this.versionAt, version);
			write(this.sentAt, sent);
		}

		byte[] added() {
			byte[] prefix = "{\"type\":\"ADDED\",\"object\":".getBytes(StandardCharsets.US_ASCII);
			byte[] added = new byte[this.bytes.length - PREFIX.length() + prefix.length];
			System.arraycopy(prefix, 0, added, 0, prefix.length);
			System.arraycopy(this.bytes, PREFIX.length(), added, prefix.length, this.bytes.length - PREFIX.length());
			return added;
		}

		private void write(int at, long number) {
			long rest = number;
			for (int i = at + DIGITS - 1; i >= at; i--) {
				this.bytes[i] = (byte) ('0' + rest % 10);
				rest /= 10;
			}
		}

	}

}
