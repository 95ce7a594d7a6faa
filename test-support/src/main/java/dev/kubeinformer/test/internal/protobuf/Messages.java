package dev.kubeinformer.test.internal.protobuf;

import java.util.Map;
import java.util.function.Supplier;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import io.kubernetes.client.proto.Meta;
import io.kubernetes.client.proto.V1;
import io.kubernetes.client.proto.V1Admissionregistration;
import io.kubernetes.client.proto.V1Apps;
import io.kubernetes.client.proto.V1Autoscaling;
import io.kubernetes.client.proto.V1Batch;
import io.kubernetes.client.proto.V1Certificates;
import io.kubernetes.client.proto.V1Coordination;
import io.kubernetes.client.proto.V1Discovery;
import io.kubernetes.client.proto.V1Events;
import io.kubernetes.client.proto.V1Flowcontrol;
import io.kubernetes.client.proto.V1Networking;
import io.kubernetes.client.proto.V1Node;
import io.kubernetes.client.proto.V1Policy;
import io.kubernetes.client.proto.V1Rbac;
import io.kubernetes.client.proto.V1Resource;
import io.kubernetes.client.proto.V1Scheduling;
import io.kubernetes.client.proto.V1Storage;
import io.kubernetes.client.proto.V2Autoscaling;
import org.jspecify.annotations.Nullable;

/**
 * Protobuf messages of the official client, for the kinds that are served as protobuf:
 * all kinds in stable versions, except CustomResourceDefinitions.
 */
final class Messages {

	// Descriptors by API version. They are large, so each is loaded on demand.
	private static final Map<String, Supplier<FileDescriptor>> FILES = Map.ofEntries(Map.entry("v1", V1::getDescriptor),
			Map.entry("admissionregistration.k8s.io/v1", V1Admissionregistration::getDescriptor),
			Map.entry("apps/v1", V1Apps::getDescriptor), Map.entry("autoscaling/v1", V1Autoscaling::getDescriptor),
			Map.entry("autoscaling/v2", V2Autoscaling::getDescriptor), Map.entry("batch/v1", V1Batch::getDescriptor),
			Map.entry("certificates.k8s.io/v1", V1Certificates::getDescriptor),
			Map.entry("coordination.k8s.io/v1", V1Coordination::getDescriptor),
			Map.entry("discovery.k8s.io/v1", V1Discovery::getDescriptor),
			Map.entry("events.k8s.io/v1", V1Events::getDescriptor),
			Map.entry("flowcontrol.apiserver.k8s.io/v1", V1Flowcontrol::getDescriptor),
			Map.entry("networking.k8s.io/v1", V1Networking::getDescriptor),
			Map.entry("node.k8s.io/v1", V1Node::getDescriptor), Map.entry("policy/v1", V1Policy::getDescriptor),
			Map.entry("rbac.authorization.k8s.io/v1", V1Rbac::getDescriptor),
			Map.entry("resource.k8s.io/v1", V1Resource::getDescriptor),
			Map.entry("scheduling.k8s.io/v1", V1Scheduling::getDescriptor),
			Map.entry("storage.k8s.io/v1", V1Storage::getDescriptor));

	private Messages() {
	}

	/**
	 * Returns the message of a kind.
	 * @param apiVersion its group and version
	 * @param kind the kind, which may be a list kind
	 * @return the message, or {@code null} if the kind is served only as JSON
	 */
	static @Nullable Descriptor find(String apiVersion, String kind) {
		if ("v1".equals(apiVersion) && "Status".equals(kind)) {
			return Meta.Status.getDescriptor();
		}
		if (apiVersion.startsWith("meta.k8s.io/")) {
			return Meta.getDescriptor().findMessageTypeByName(kind);
		}
		Supplier<FileDescriptor> file = FILES.get(apiVersion);
		return (file != null) ? file.get().findMessageTypeByName(kind) : null;
	}

}
