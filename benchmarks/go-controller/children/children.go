package children

import (
	"encoding/json"
	"maps"
	"strconv"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// Manager is the field manager of all programs.
const Manager = "benchmark"

// Object is a child.
type Object interface {
	metav1.Object
	runtime.Object
}

// Desired returns what a widget asks for: a ConfigMap, or that with a Deployment and a Service.
func Desired(widget *Widget, three bool) []Object {
	wanted := []Object{configMap(widget)}
	if three {
		wanted = append(wanted, deployment(widget), service(widget))
	}
	return wanted
}

func meta(widget *Widget) metav1.ObjectMeta {
	yes := true
	return metav1.ObjectMeta{Name: widget.Name, Namespace: widget.Namespace, Labels: map[string]string{"app": "widget"},
		OwnerReferences: []metav1.OwnerReference{{APIVersion: GroupVersion.String(), Kind: "Widget", Name: widget.Name,
			UID: widget.UID, Controller: &yes, BlockOwnerDeletion: &yes}}}
}

func configMap(widget *Widget) *corev1.ConfigMap {
	return &corev1.ConfigMap{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"}, ObjectMeta: meta(widget),
		Data: map[string]string{"size": strconv.Itoa(int(widget.Spec.Size)), "message": widget.Spec.Message}}
}

func deployment(widget *Widget) *appsv1.Deployment {
	replicas := widget.Spec.Size%3 + 1
	selector := map[string]string{"widget": widget.Name}
	amounts := corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("0.1"),
		corev1.ResourceMemory: resource.MustParse("64Mi")}
	return &appsv1.Deployment{TypeMeta: metav1.TypeMeta{APIVersion: "apps/v1", Kind: "Deployment"},
		ObjectMeta: meta(widget),
		Spec: appsv1.DeploymentSpec{Replicas: &replicas, Selector: &metav1.LabelSelector{MatchLabels: selector},
			Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: selector},
				Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "web", Image: "registry.example.com/web:1.0",
					Env:       []corev1.EnvVar{{Name: "SIZE", Value: strconv.Itoa(int(widget.Spec.Size))}},
					Ports:     []corev1.ContainerPort{{Name: "http", ContainerPort: 8080}},
					Resources: corev1.ResourceRequirements{Requests: amounts}}}}}}}
}

// No address is allocated: there are more services than addresses.
func service(widget *Widget) *corev1.Service {
	return &corev1.Service{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Service"}, ObjectMeta: meta(widget),
		Spec: corev1.ServiceSpec{ClusterIP: corev1.ClusterIPNone, Selector: map[string]string{"widget": widget.Name},
			Ports: []corev1.ServicePort{{Name: "http", Port: 80, TargetPort: intstr.FromString("http")}}}}
}

// Same returns whether a cached child has what is wanted, as the authors of operators compare it.
func Same(now, wanted Object) bool {
	if !equality.Semantic.DeepEqual(now.GetOwnerReferences(), wanted.GetOwnerReferences()) ||
		now.GetLabels()["app"] != wanted.GetLabels()["app"] {
		return false
	}
	switch want := wanted.(type) {
	case *corev1.ConfigMap:
		return maps.Equal(want.Data, now.(*corev1.ConfigMap).Data)
	case *appsv1.Deployment:
		return equality.Semantic.DeepDerivative(want.Spec, now.(*appsv1.Deployment).Spec)
	case *corev1.Service:
		return equality.Semantic.DeepDerivative(want.Spec, now.(*corev1.Service).Spec)
	}
	return false
}

// Body returns what is applied: without the empty status, which a typed object always has.
func Body(wanted Object) ([]byte, error) {
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(wanted)
	if err != nil {
		return nil, err
	}
	delete(fields, "status")
	return json.Marshal(fields)
}
