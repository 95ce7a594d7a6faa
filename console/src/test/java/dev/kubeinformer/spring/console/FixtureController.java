package dev.kubeinformer.spring.console;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import jakarta.servlet.http.HttpServletResponse;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

import dev.kubeinformer.spring.autoconfigure.endpoint.HandlerDescriptor;
import dev.kubeinformer.spring.autoconfigure.endpoint.InformerDescriptor;
import dev.kubeinformer.spring.autoconfigure.endpoint.InformersDescriptor;
import dev.kubeinformer.spring.autoconfigure.endpoint.LeaderDescriptor;
import dev.kubeinformer.spring.autoconfigure.endpoint.ReconcilerDescriptor;
import dev.kubeinformer.spring.autoconfigure.endpoint.ShardsDescriptor;

/**
 * Answers of the endpoint that no cluster of a test gives at will: every state at once,
 * none at all, and very many. They are embedded in a page of the application's own.
 */
@RestController
class FixtureController {

	private volatile boolean calm;

	private volatile boolean cut;

	@GetMapping(path = "/embedded/{name}", produces = MediaType.TEXT_HTML_VALUE)
	ResponseEntity<String> page(@PathVariable String name) {
		return ResponseEntity.ok().header("Content-Security-Policy", "default-src 'self'").body("""
				<!doctype html>
				<html lang="en">
				<head>
				  <meta charset="utf-8">
				  <meta name="viewport" content="width=device-width, initial-scale=1">
				  <meta name="color-scheme" content="light dark">
				  <title>An application</title>
				  <link rel="icon" href="/actuator/informersconsole/icon.svg">
				  <link rel="stylesheet" href="/actuator/informersconsole/page.css">
				  <script type="module" src="/actuator/informersconsole/console.js"></script>
				</head>
				<body>
				<main>
				  <h1>An application</h1>
				  <informers-console endpoint="/fixture/%s" period="300"></informers-console>
				</main>
				</body>
				</html>
				""".formatted(name));
	}

	/**
	 * Lets everything that needs attention need none from now on, or need it again.
	 */
	void calm(boolean calm) {
		this.calm = calm;
	}

	/**
	 * Lets answers break off in the midst of their bodies from now on, or be whole again.
	 */
	void cut(boolean cut) {
		this.cut = cut;
	}

	@GetMapping("/fixture/{name}")
	ResponseEntity<?> fixture(@PathVariable String name, HttpServletResponse response) throws IOException {
		if (this.cut) {
			breakOff(response);
		}
		return switch (name) {
			case "none" -> ResponseEntity.ok(new InformersDescriptor(List.of(), List.of(), List.of(), null, null));
			case "many" -> ResponseEntity.ok(many());
			case "states" -> ResponseEntity.ok(states());
			case "unknown" -> ResponseEntity.ok(Map.of());
			case "forbidden" -> ResponseEntity.status(HttpStatus.FORBIDDEN).build();
			case "unauthorized" -> ResponseEntity.status(HttpStatus.FOUND).header("Location", "/login").build();
			case "broken" -> ResponseEntity.status(HttpStatus.SERVICE_UNAVAILABLE).build();
			default -> ResponseEntity.notFound().build();
		};
	}

	@PostMapping("/fixture/states/{id}")
	ResponseEntity<?> act(@PathVariable String id, HttpServletResponse response) throws IOException {
		if (id.equals("stoppedHandler")) {
			breakOff(response);
		}
		return id.equals("pausedHandler") ? ResponseEntity.status(HttpStatus.FORBIDDEN).build()
				: ResponseEntity.status(HttpStatus.CONFLICT)
					.body(Map.of("error", "Handler '%s' is stopped; START it first".formatted(id)));
	}

	private static void breakOff(HttpServletResponse response) throws IOException {
		response.setContentType(MediaType.APPLICATION_JSON_VALUE);
		response.getWriter().write("{\"informers\": [");
		response.flushBuffer();
		throw new IOException("The fixture breaks off");
	}

	private InformersDescriptor many() {
		List<InformerDescriptor> informers = new ArrayList<>();
		List<HandlerDescriptor> handlers = new ArrayList<>();
		for (int i = 0; i < 500; i++) {
			String cluster = "cluster-" + i % 5;
			String id = "%s.widgets-%03d".formatted(cluster, i);
			informers.add(informer(id, cluster, (i % 50 == 7 && !this.calm) ? "STALE" : "LIVE", List.of()));
			handlers.add(handler(cluster + ".handler" + i, cluster, id, HandlerDescriptor.State.RUNNING, 0));
		}
		return new InformersDescriptor(informers, handlers, List.of(), null, null);
	}

	private InformersDescriptor states() {
		List<InformerDescriptor> informers = new ArrayList<>();
		for (String state : List.of("NEW", "SYNCING", "LIVE", "STALE", "FORBIDDEN", "NOT_FOUND", "STOPPED")) {
			informers.add(informer(state.toLowerCase(), null, state, state.equals("FORBIDDEN") ? List
				.of("apiGroups: [\"\"], resources: [\"secrets\"], verbs: [\"list\", \"watch\"] for all namespaces")
					: List.of()));
		}
		informers.add(part("orders-uid-2-of-5", false, "CLIENT"));
		informers.add(part("orders-metadata-uid-0-of-5", true, "SERVER"));
		informers.add(part("orders-metadata-uid-1-of-5", true, null));
		informers.add(moving());
		List<HandlerDescriptor> handlers = List.of(
				handler("runningHandler", null, "live", HandlerDescriptor.State.RUNNING, 3),
				handler("pausedHandler", null, "live", HandlerDescriptor.State.PAUSED, 0),
				handler("stoppedHandler", null, "live", HandlerDescriptor.State.STOPPED, 0));
		List<ReconcilerDescriptor> reconcilers = List.of(reconciler("calmReconciler", "ACTIVE", List.of()),
				reconciler("failingReconciler", "ACTIVE",
						IntStream.range(0, 8)
							.mapToObj((i) -> new ReconcilerDescriptor.Failing("shop/order-" + i, 5 + i, ago(300),
									Instant.now().plusSeconds(40).toString(), "java.io.IOException"))
							.toList()),
				reconciler("pausedReconciler", "PAUSED", List.of()),
				reconciler("standbyReconciler", "STANDBY", List.of()));
		return new InformersDescriptor(informers, handlers, reconcilers,
				new LeaderDescriptor("LEADING", ago(90), true, "shop/orders", null, "pod-1", "pod-1",
						new LeaderDescriptor.Term(41, ago(90), Instant.now().plusSeconds(9).toString()), "9s",
						List.of(), 2, 45, null, List.of()),
				shards());
	}

	private static ShardsDescriptor shards() {
		return new ShardsDescriptor("ACTIVE", ago(300), "shop/orders", null, "orders-b", "orders-77aa", "UID", 16, true,
				"4-7", "7",
				List.of(new ShardsDescriptor.Member("orders-a", "0-3", 4, false, false),
						new ShardsDescriptor.Member("orders-b", "4-7", 4, true, false),
						new ShardsDescriptor.Member("orders-c", "8-11,14", 5, false, true)),
				List.of(new ShardsDescriptor.Unheld("12-13,15", ago(10))), 5, 1, 120, "9s", null, null, List.of());
	}

	private static String ago(long seconds) {
		return Instant.now().minus(Duration.ofSeconds(seconds)).toString();
	}

	private static InformerDescriptor informer(String id, String cluster, String state, List<String> rbac) {
		boolean filled = state.equals("LIVE") || state.equals("STALE");
		return new InformerDescriptor(id, cluster,
				new InformerDescriptor.Spec("widgets.example.com", "example.com/v1", "Widget", List.of("shop"),
						"app=shop", null, false),
				state, ago(40), state.equals("STALE") ? ago(40) : null, filled, filled ? ago(400) : null,
				filled ? "48151623" : null, filled ? 1234 : 0, 1, Map.of("EXPIRED", 1L), Map.of("CLOSED", 4L), 0,
				state.equals("LIVE") ? 0 : 2, filled ? ago(12) : null, filled ? "12s" : null,
				state.equals("LIVE") ? null : new InformerDescriptor.Failure(ago(5), "watch", null, "ConnectException",
						"Connection refused", null),
				rbac, "JSON", null, null, List.of());
	}

	/**
	 * An informer on a shard, and maybe on metadata alone of a kind without a class.
	 */
	private static InformerDescriptor part(String id, boolean metadataOnly, String mode) {
		int index = Integer.parseInt(id.replaceAll(".*-(\\d)-of-5", "$1"));
		return new InformerDescriptor(id, null,
				new InformerDescriptor.Spec("orders.example.com", "example.com/v1", metadataOnly ? null : "Order",
						List.of("*"), null, null, metadataOnly),
				"LIVE", ago(40), null, true, ago(400), "48151623", 246, 1, Map.of(), Map.of(), 0, 0, ago(12), "12s",
				null, List.of(), "PROTOBUF", (metadataOnly && mode != null) ? mode : null,
				new InformerDescriptor.Shard("UID", index, 5, mode, "CLIENT".equals(mode) ? 984 : 0, null, null),
				List.of());
	}

	private static InformerDescriptor moving() {
		return new InformerDescriptor("parcels-uid-slots", null,
				new InformerDescriptor.Spec("parcels.example.com", "example.com/v1", "Parcel", List.of("*"), null, null,
						false),
				"LIVE", ago(40), null, true, ago(400), "48151623", 246, 1, Map.of(), Map.of(), 0, 0, ago(12), "12s",
				null, List.of(), "PROTOBUF", null,
				new InformerDescriptor.Shard("UID", null, 64, "CLIENT", 984, "0-11,20", "0-9"), List.of());
	}

	private static HandlerDescriptor handler(String id, String cluster, String informer, HandlerDescriptor.State state,
			int retries) {
		return new HandlerDescriptor(id, cluster, "shop." + id, Map.of("ADD", "shop.Handler.added(Widget)"), informer,
				"widgets.example.com", state, true, true, false, false, true, ago(400), 0, List.of(), "10m", 2, 1000,
				retries * 4, 987, retries, retries, retries, 0, retries, 0,
				(retries > 0) ? new HandlerDescriptor.Handling(ago(20), "shop/order-1") : null,
				(retries > 0) ? new HandlerDescriptor.Failure(ago(20), "java.io.IOException", "shop/order-1") : null);
	}

	private static ReconcilerDescriptor reconciler(String id, String state,
			List<ReconcilerDescriptor.Failing> failing) {
		return new ReconcilerDescriptor(id, null, "shop." + id, "orders.example.com", List.of("deployments.apps"),
				List.of("configmaps"), state, ago(400), true, true, true, state.equals("STANDBY"), true,
				List.of(new ReconcilerDescriptor.Source("orders", "orders.example.com", "PRIMARY", "LIVE", true)),
				new ReconcilerDescriptor.Queue(Map.of("LIVE", 3, "RETRY", 1, "INITIAL", 0), "2s", failing.size(), 1, 0,
						0),
				1, "3s", new ReconcilerDescriptor.Runs(1200, failing.size() * 6L, 3, 0), 0,
				failing.size() + failing.size() * 2, failing, List.of(),
				failing.isEmpty() ? null : "java.io.IOException shop/order-1", List.of(),
				new ReconcilerDescriptor.Settings(List.of("*"), null, null, 4, "10h", "5m", "0s", "10s", id, null));
	}

}
