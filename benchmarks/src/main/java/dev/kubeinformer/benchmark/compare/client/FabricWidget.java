package dev.kubeinformer.benchmark.compare.client;

import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Plural;
import io.fabric8.kubernetes.model.annotation.Version;

import dev.kubeinformer.benchmark.custom.WidgetSpec;
import dev.kubeinformer.benchmark.custom.WidgetStatus;

/** Widget in the form that fabric8's client needs. */
@Group("bench.example.com")
@Version("v1")
@Kind("Widget")
@Plural("widgets")
public final class FabricWidget extends CustomResource<WidgetSpec, WidgetStatus> implements Namespaced {

	private static final long serialVersionUID = 1;

}
